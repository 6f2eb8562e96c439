package gpu

import (
	"errors"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// The cheats of prover/verify/soundnesstest about instances, receivers, lookups and statements, with the device instead
// of the CPU. (Cheats about finished proofs use the same bytes.)
func TestCheatsWithInstances(t *testing.T) {
	c := claim{"tour", 150, 4}
	execution, fillers, params := c.statement(t)
	list := execution.Instances()
	of := func(table int) (places []int) {
		for i, instance := range list {
			if instance.Table == table {
				places = append(places, i)
			}
		}
		return places
	}
	steps, rests := of(tour.Step), of(tour.Rest)
	if len(steps) < 2 || len(rests) < 2 || list[steps[0]].LogHeight == list[steps[len(steps)-1]].LogHeight {
		t.Fatalf("instances %v: want several, of two heights", list)
	}
	order := make([]int, len(list)) // the true instance that each index is filled from
	for i := range order {
		order[i] = i
	}
	shaped := func(change func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int)) *machine.Mutated {
		shape, filled := change(slices.Clone(list), slices.Clone(order))
		return &machine.Mutated{Execution: execution, Shape: shape, True: filled}
	}
	changed := func(at int, change func(columns [][]goldilocks.Element)) *machine.Mutated {
		return &machine.Mutated{Execution: execution, Change: func(i int, columns [][]goldilocks.Element) {
			if i == at {
				change(columns)
			}
		}}
	}
	public := execution.Public()
	claimed := circuit.Public{Values: slices.Clone(public.Values), Data: public.Data}
	claimed.Values[tour.PublicTotal] = claimed.Values[tour.PublicTotal].Add(1)
	b := openBackend(t, Options{})
	for name, tc := range map[string]struct {
		cheat *machine.Mutated
		by    []verify.Check // none: the device refuses to continue
	}{
		"an instance left out": {shaped(func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			return slices.Delete(list, steps[1], steps[1]+1), slices.Delete(filled, steps[1], steps[1]+1)
		}), []verify.Check{verify.CheckSums}},
		"an instance added": {shaped(func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			return slices.Insert(list, rests[0], list[rests[0]]), slices.Insert(filled, rests[0], rests[0])
		}), []verify.Check{verify.CheckSums}},
		"an instance in another's place": {shaped(func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			filled[steps[0]] = steps[1]
			return list, filled
		}), []verify.Check{verify.CheckSums}},
		"an instance of another height": {shaped(func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			list[steps[0]].LogHeight--
			return list, filled
		}), []verify.Check{verify.CheckSums, verify.CheckQuotient}},
		"another public number": {&machine.Mutated{Execution: execution, Claim: &claimed}, []verify.Check{verify.CheckSums}},
		"a receiver that exceeds its bound, in balance": {changed(rests[len(rests)-1], func(columns [][]goldilocks.Element) {
			last := len(columns[0]) - 1 // the same again, p - 1 times
			if columns[0][0] != 1 || columns[0][last] != 0 {
				t.Error("the last instance has no row of each kind")
			}
			for _, column := range columns {
				column[last] = column[0]
			}
			columns[0][0], columns[0][last] = 2, goldilocks.Element(1).Neg()
		}), []verify.Check{verify.CheckQuotient}},
		"a lookup of a row that answers no bus": {changed(steps[0], func(columns [][]goldilocks.Element) {
			columns[6][0] = tour.MaxToll + 1
		}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			data, _, err := proofOf(fillers.Mutable(), params, b, tc.cheat)
			if tc.by == nil {
				if !errors.Is(err, backend.ErrLookupMiss) {
					t.Errorf("proving says %v, want a message that no table has", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = prover.Verify(t.Context(), data, c.accepting(t))
			if check, ok := verify.RejectedBy(err); !ok || !slices.Contains(tc.by, check) {
				t.Errorf("verification says %v, want a rejection by %q", err, tc.by)
			}
		})
	}
}
