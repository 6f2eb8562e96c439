package verify

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// MaxMessages is the maximum number of public messages of a proof.
const MaxMessages = 1 << 16

// busBounds checks that no multiplicity can wrap around. Over all instances that send on a bus, the declared bound
// times the height must sum to less than p; the same holds for receivers with a bound. A message sent k times then
// counts as k in the field, and the balance of tokens is an equality of integers.
func busBounds(m *circuit.Machine, instances []circuit.Instance, messages []circuit.Message) error {
	if err := checkMessages(m, instances, messages); err != nil {
		return err
	}
	counts := make([][2]messageCount, len(m.Buses))
	for _, instance := range instances {
		for _, interaction := range m.Tables[instance.Table].Interactions {
			counts[interaction.Bus.Index-1][interaction.Kind].add(interaction.Bound, 1<<instance.LogHeight)
		}
	}
	for _, message := range messages {
		counts[message.Bus.Index-1][message.Kind].add(uint64(message.Multiplicity), 1)
	}
	for i, bus := range counts {
		for kind, count := range bus {
			if count.overflow || count.total >= goldilocks.Modulus {
				return rejectf(CheckBuses, "bus %s: at these heights the messages of kind %s could number p or more",
					m.Buses[i].Name, air.Kind(kind))
			}
		}
	}
	return nil
}

// checkMessages checks that public messages match the machine's buses. A message of another arity could have the same
// fingerprint as a message padded with zeros. In a proof whose tables have no interactions, there is no sum in which
// messages could cancel.
func checkMessages(m *circuit.Machine, instances []circuit.Instance, messages []circuit.Message) error {
	if len(messages) > MaxMessages {
		return rejectf(CheckBuses, "%d public messages, want at most %d", len(messages), MaxMessages)
	}
	interactions := slices.ContainsFunc(instances, func(i circuit.Instance) bool {
		return len(m.Tables[i.Table].Interactions) > 0
	})
	for _, message := range messages {
		bus := message.Bus
		switch {
		case bus.Index < 1 || bus.Index > len(m.Buses) || m.Buses[bus.Index-1] != bus:
			return rejectf(CheckBuses, "a public message is on bus %s, which machine %s does not have", bus.Name, m.Name)
		case len(message.Values) != bus.Arity():
			return rejectf(CheckBuses, "a public message on bus %s has %d values, want %d", bus.Name, len(message.Values),
				bus.Arity())
		case !interactions:
			return rejectf(CheckBuses,
				"there is a public message on bus %s, and no instance has interactions that could answer it", bus.Name)
		}
	}
	return nil
}

// messageCount is an upper bound for the messages of a bus's senders or receivers.
type messageCount struct {
	total    uint64
	overflow bool
}

func (c *messageCount) add(bound, rows uint64) {
	high, product := bits.Mul64(bound, rows)
	total, carry := bits.Add64(c.total, product, 0)
	c.total = total
	c.overflow = c.overflow || high+carry > 0
}

// balance checks that the claimed sums of instances and the public messages cancel: every message is received as often
// as it is sent.
func balance(messages []circuit.Message, challenges protocol.LogUpChallenges, claimed []goldilocks.Extension) error {
	total, err := publicSum(messages, challenges)
	if err != nil {
		return reject(CheckSums, err)
	}
	for _, sum := range claimed {
		total = total.Add(sum)
	}
	if !total.IsZero() {
		return rejectf(CheckSums,
			"the instances' sums and the public messages add up to %v, want 0: some message is not received as often as it is "+
				"sent", total)
	}
	return nil
}

// publicSum returns the sum of +-m/d over the public messages, with one batched inversion.
func publicSum(messages []air.Message, challenges protocol.LogUpChallenges) (sum goldilocks.Extension, err error) {
	denominators := make([]goldilocks.Extension, len(messages))
	for i, message := range messages {
		values := make([]goldilocks.Extension, len(message.Values))
		for k, value := range message.Values {
			values[k] = goldilocks.FromBase(value)
		}
		denominators[i] = fingerprint(challenges, message.Bus, values)
	}
	if !goldilocks.BatchInverseExtension(denominators, denominators) {
		return sum, errors.New("a public message's fingerprint is zero")
	}
	for i, message := range messages {
		term := denominators[i].MulBase(message.Multiplicity)
		if message.Kind == air.Receive {
			term = term.Neg()
		}
		sum = sum.Add(term)
	}
	return sum, nil
}

// fingerprint returns alpha + b + the sum of beta^j v_j, for the values v_1, v_2, ... of a message on the bus with
// index b.
func fingerprint(challenges protocol.LogUpChallenges, bus *air.Bus,
	values []goldilocks.Extension) goldilocks.Extension {
	var sum goldilocks.Extension
	for j := len(values) - 1; j >= 0; j-- {
		sum = sum.Add(values[j]).Mul(challenges.Beta)
	}
	return sum.Add(challenges.Alpha).AddBase(goldilocks.Element(bus.Index))
}
