package stark

import (
	"reflect"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// A plan that is taken over from a tree of equal heights is the one that would be made, and none is from another tree.
func TestPlansOfEqualHeights(t *testing.T) {
	positions := []uint64{5, 63, 5, 17, 16, 0}
	plan := func(shape merkle.Shape) *merkle.Plan {
		made, err := merkle.NewPlan(shape, positions)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	p := &plans{}
	p.Phases[backend.Main] = plan(merkle.Shape{LogHeights: []int{6, 3}, Widths: []int{4, 2}, CapHeight: 2})
	wider := merkle.Shape{LogHeights: []int{6, 3}, Widths: []int{7, 1}, CapHeight: 2}
	if got, want := p.known(wider), plan(wider); !reflect.DeepEqual(got, want) {
		t.Errorf("of other widths: %+v, want %+v", got, want)
	}
	for _, other := range []merkle.Shape{
		{LogHeights: []int{6, 4}, Widths: []int{4, 2}, CapHeight: 2},
		{LogHeights: []int{6}, Widths: []int{4}, CapHeight: 2},
		{LogHeights: []int{6, 3}, Widths: []int{4, 2}, CapHeight: 1},
	} {
		if got := p.known(other); got != nil {
			t.Errorf("%+v has the plan %+v", other, got)
		}
	}
}
