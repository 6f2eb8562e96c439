package machine_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Every receiver on a lookup bus is an entry, whose rows are checked: any other receiver could answer anything. Buses
// belong to the machine itself, not to another machine with the same numbers.
func TestValidateIsStrictAboutBuses(t *testing.T) {
	for want, change := range map[string]func(m *mistaken){
		"table t: bus lookup is a lookup bus, and only lookup buses are answered, by entries": func(m *mistaken) {
			m.Tables[0] = table(t, "t", func(b *air.Builder, x air.Expr) {
				m.token.Produce(b, x, message{b.Public(0)})
				air.TokenBus[message](m.lookup).Consume(b, x, message{x})
			})
		},
		"table t: bus token is not one of the machine's": func(m *mistaken) {
			other := *m.token.Bus
			m.Tables[0].Interactions[0].Bus = &other
		},
		"bus token has index 3, want 2":  func(m *mistaken) { m.Buses[1].Index = 3 },
		"bus lookup has index 0, want 1": func(m *mistaken) { m.Buses[0].Index = 0 },
	} {
		m := good(t)
		change(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A proof states as many values as the machine has names for, and no more.
func TestStatedValuesAreCounted(t *testing.T) {
	m, e := walk(t, 20)
	truth := e.Public()
	for count := range len(truth.Values) + 3 {
		values := append(append([]goldilocks.Element{}, truth.Values...), 0, 0)[:count]
		if err := m.CheckStated(circuit.Public{Values: values,
			Data: truth.Data}); (err == nil) != (count == len(truth.Values)) {
			t.Errorf("%d public values: %v", count, err)
		}
	}
}
