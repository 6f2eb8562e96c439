package gpu

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Public messages are counted as in the reference: more messages than are sent to the device at a time, with
// multiplicities that need both halves of a count, and without messages that the verifier receives.
func TestCountsOfPublicMessages(t *testing.T) {
	execution, m, _ := walk.statement(t)
	public := execution.Public()
	messages := m.Machine.Messages(public)
	for _, message := range m.Machine.Messages(public) {
		if message.Bus.Kind != air.Lookup {
			continue
		}
		for i := range 3*publicMessages + 5 {
			message.Multiplicity = goldilocks.Element(i + 1)
			switch i % 5 {
			case 1:
				message.Multiplicity = 1 << 32
			case 2:
				message.Multiplicity = 3<<32 + 7
			case 3:
				message.Multiplicity = goldilocks.Element(goldilocks.Modulus - 1)
			case 4:
				received := message
				received.Kind = air.Receive
				messages = append(messages, received)
				continue
			}
			messages = append(messages, message)
		}
	}
	traces, err := m.Traces(parallel.New(0), execution)
	if err != nil {
		t.Fatal(err)
	}
	air.CountLookups(traces, public.Values, messages)
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		p, _ := changed(t, b, nil)
		if _, err := p.Count(ofMachine(p.machine, messages)); err != nil {
			t.Fatal(err, b.Finding())
		}
		for i := range p.shape.Instances {
			for _, entry := range p.shape.Table(i).Lookups {
				counts := downloaded(t, p.proof, p.phases[protocol.Main].list[i], uint64(entry.CountColumn), p.rows(i))
				for row, have := range counts {
					if want := uint64(traces[i].Trace.Main[entry.CountColumn][row]); have != want {
						t.Fatalf("bus %s, row %d counts %d, want %d", entry.Bus.Name, row, have, want)
					}
				}
			}
		}
	})
}

// ofMachine are messages on the buses of another copy of their machine.
func ofMachine(m *circuit.Machine, messages []circuit.Message) []circuit.Message {
	list := make([]circuit.Message, len(messages))
	for i, message := range messages {
		message.Bus = m.Buses[message.Bus.Index-1]
		list[i] = message
	}
	return list
}

// A message is in the table only if all of its values are: it is missed if any value but the index differs from the
// row.
func TestEveryValueOfAMessageIsCompared(t *testing.T) {
	step := programOf(t, "tour").Machine().Tables[tour.Step]
	b := openBackend(t, Options{Seed: 4})
	for _, column := range []string{"next", "choice", "place"} {
		p, execution := changed(t, b, func(instance int, columns [][]goldilocks.Element) {
			if instance == 0 {
				cell := &columns[step.Column(column)][7]
				if *cell = cell.Add(1); column == "choice" {
					*cell = 2
				}
			}
		})
		_, err := p.Count(p.machine.Messages(execution.Public()))
		if !errors.Is(err, backend.ErrLookupMiss) || !strings.Contains(err.Error(), "bus road") {
			t.Errorf("another %s: %v", column, err)
		}
		p.Close()
	}
}
