package stark

import (
	"errors"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// busBounds checks that no multiplicity can wrap around: over all senders of a
// bus, the declared bound times the height sums to less than p. A message sent
// k times then counts as k in the field too.
func (v *verification) busBounds() error {
	m := v.key.Machine
	if err := v.messages(); err != nil {
		return err
	}
	sent := make([]sendCount, len(m.Buses))
	for i, table := range m.Tables {
		for _, interaction := range table.Interactions {
			if interaction.Kind == air.Send {
				sent[interaction.Bus.Index-1].add(interaction.Bound, 1<<v.proof.LogHeights[i])
			}
		}
	}
	for _, message := range m.Messages(v.proof.Public) {
		if message.Kind == air.Send {
			sent[message.Bus.Index-1].add(uint64(message.Multiplicity), 1)
		}
	}
	for i, count := range sent {
		if count.overflow || count.total >= goldilocks.Modulus {
			return rejectf(CheckBuses, "bus %s: at these heights the messages sent could number p or more", m.Buses[i].Name)
		}
	}
	return nil
}

// messages checks that the machine's public messages fit its buses. One of another arity could have the
// fingerprint of a message with zeros at its end, and in a machine whose tables have no interactions
// there is no sum for messages to cancel in.
func (v *verification) messages() error {
	m := v.key.Machine
	for _, message := range m.Messages(v.proof.Public) {
		bus := message.Bus
		switch {
		case bus.Index < 1 || bus.Index > len(m.Buses) || m.Buses[bus.Index-1] != bus:
			return rejectf(CheckBuses, "a public message is on bus %+v, which machine %s does not have", bus, m.Name)
		case len(message.Values) != bus.Arity:
			return rejectf(CheckBuses, "a public message on bus %s has %d values, want %d", bus.Name, len(message.Values), bus.Arity)
		case !backend.Present(m, backend.Auxiliary):
			return rejectf(CheckBuses, "there is a public message on bus %s, and no table of machine %s has interactions that could answer it", bus.Name, m.Name)
		}
	}
	return nil
}

// sendCount is the most messages that a bus's senders can send.
type sendCount struct {
	total    uint64
	overflow bool
}

func (c *sendCount) add(bound, rows uint64) {
	high, product := bits.Mul64(bound, rows)
	total, carry := bits.Add64(c.total, product, 0)
	c.total = total
	c.overflow = c.overflow || high+carry > 0
}

// sums checks that the claimed sums of all tables and the messages of the
// public values cancel: every message is received as often as it is sent.
func (v *verification) sums() error {
	if !backend.Present(v.key.Machine, backend.Auxiliary) {
		return nil
	}
	for i, table := range v.key.Machine.Tables {
		if claimed := v.proof.Claimed[i]; len(table.Interactions) == 0 && !claimed.IsZero() {
			return rejectf(CheckSums, "table %s has no interactions and claims the sum %v", table.Name, claimed)
		}
	}
	total, err := publicSum(v.key.Machine.Messages(v.proof.Public), v.logUp)
	if err != nil {
		return reject(CheckSums, err)
	}
	for _, claimed := range v.proof.Claimed {
		total = total.Add(claimed)
	}
	if !total.IsZero() {
		return rejectf(CheckSums, "the tables' sums and the public messages add up to %v, want 0: some message is not received as often as it is sent", total)
	}
	return nil
}

// publicSum is what public messages add to the balance.
func publicSum(messages []air.Message, challenges backend.LogUpChallenges) (sum goldilocks.Extension, err error) {
	for _, message := range messages {
		values := make([]goldilocks.Extension, len(message.Values))
		for i, value := range message.Values {
			values[i] = goldilocks.FromBase(value)
		}
		denominator := fingerprint(challenges, message.Bus, values)
		if denominator.IsZero() {
			return sum, errors.New("a public message's fingerprint is zero")
		}
		term := denominator.Inverse().MulBase(message.Multiplicity)
		if message.Kind == air.Receive {
			term = term.Neg()
		}
		sum = sum.Add(term)
	}
	return sum, nil
}

// fingerprint is alpha + b + the sum of beta^j v_j, for the values v_1, v_2, ...
// of a message on the bus with index b.
func fingerprint(challenges backend.LogUpChallenges, bus air.Bus, values []goldilocks.Extension) goldilocks.Extension {
	var sum goldilocks.Extension
	for j := len(values) - 1; j >= 0; j-- {
		sum = sum.Add(values[j]).Mul(challenges.Beta)
	}
	return sum.Add(challenges.Alpha).AddBase(goldilocks.Element(bus.Index))
}
