package independent

import (
	"errors"
	"fmt"
	"math/big"
)

// bounds checks that public messages match their buses, and that no count can wrap around p, over a proof or all
// shards.
func bounds(all []*verification) error {
	v := all[0]
	counts := make([][2]big.Int, len(v.form.buses))
	claiming := 0
	for _, shard := range all {
		claiming += len(shard.claiming())
		for i, in := range shard.instances {
			for _, m := range shard.table(i).interactions {
				bound := new(big.Int).SetUint64(m.bound)
				total := &counts[m.bus-1][m.direction]
				total.Add(total, bound.Lsh(bound, uint(in.logHeight)))
			}
		}
	}
	if len(v.messages) > maxMessages || len(v.messages) > 0 && claiming == 0 {
		return fmt.Errorf("%d public messages", len(v.messages))
	}
	for _, m := range v.messages {
		if m.Bus < 1 || m.Bus > uint64(len(v.form.buses)) || len(m.Values) != len(v.form.buses[m.Bus-1].fields) ||
			m.Multiplicity >= p {
			return fmt.Errorf("a public message on bus %d", m.Bus)
		}
		direction := send
		if m.Receive {
			direction = receive
		}
		total := &counts[m.Bus-1][direction]
		total.Add(total, new(big.Int).SetUint64(m.Multiplicity))
	}
	limit := new(big.Int).SetUint64(p)
	for i := range counts {
		for direction := range counts[i] {
			if counts[i][direction].Cmp(limit) >= 0 {
				return fmt.Errorf("bus %s: %v messages", v.form.buses[i].name, &counts[i][direction])
			}
		}
	}
	return nil
}

func (v *verification) fingerprint(bus uint64, values []ext) ext {
	d, power := v.alpha.add(ext{bus}), v.beta
	for _, value := range values {
		d, power = d.add(power.mul(value)), power.mul(v.beta)
	}
	return d
}

// balance checks that the claimed sums of a proof, or of all counting instances in all shards, cancel with the public
// messages.
func balance(all []*verification) error {
	v, total := all[0], ext{}
	for _, m := range v.messages {
		values := make([]ext, len(m.Values))
		for i, value := range m.Values {
			values[i] = ext{value}
		}
		d := v.fingerprint(m.Bus, values)
		if d == (ext{}) {
			return errors.New("a public message's fingerprint is zero")
		}
		term := d.inverse().mul(ext{m.Multiplicity})
		if m.Receive {
			term = ext{}.sub(term)
		}
		total = total.add(term)
	}
	for number, shard := range all {
		for i, in := range shard.claiming() {
			if number == len(all)-1 || !shard.table(in).once() {
				total = total.add(shard.claimed.at(i))
			}
		}
	}
	if !total.isZero() {
		return errors.New("the claimed sums do not cancel")
	}
	return nil
}
