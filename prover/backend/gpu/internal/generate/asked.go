package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// maxAsked bounds the cells that a loop copies to shared memory several turns ahead, if they are too many for
// registers. If the cells were read where they are used, all warps would wait at once; if they were read ahead into
// registers, the compiler would delay the loads until the turn that uses them.
const maxAsked = 12

// maxAskedTurns bounds ASKED_TURNS of constraints.cuh.
const maxAskedTurns = 3

// cellsAsked lists the leaves that are cells, if they are too many to be read ahead into registers and few enough for
// shared memory.
func (r *Run) cellsAsked() (asked []int) {
	for j, l := range r.shape.leaves {
		if l.op == air.Main {
			asked = append(asked, j)
		}
	}
	if len(asked) <= maxAhead || len(asked) > maxAsked {
		return nil
	}
	return asked
}

// openAsked declares a run's table and requests the cells of the first turns.
func (r *Run) openAsked(s *Source, name string, asked []int) {
	last := len(r.items) - 1
	padded := r.part(0, len(r.items))
	for range maxAskedTurns - 1 {
		padded.add(r.items[last], r.leaves[last], r.extra[last]) // the last turns ask for them
	}
	padded.declare(s, name)
	s.Line("SHARED(u64, asked, [ASKED_TURNS][%d][%d]);", len(asked), KernelThreads)
	s.Line("u32 here = 0, there = ASKED_TURNS - 1;")
	s.Line("UNROLL for (u32 turn = 0; turn < ASKED_TURNS - 1; turn++) {")
	padded.ask(s, name, asked, "turn", "turn")
	s.Line("}")
}

// ask requests the cells of a turn.
func (r *Run) ask(s *Source, name string, asked []int, slot, index string) {
	s.Line("{")
	r.entryOf(s, name, index)
	for position, j := range asked {
		s.Line("ask_cell(&asked[%s][%d][threadIdx.x], %s);", slot, position, r.leafAddress(j))
	}
	s.Line("}")
	s.Line("ptx::close_group();")
}

// takeAsked requests the cells of a later turn, waits for the cells of turn k, and returns their names by leaf.
func (r *Run) takeAsked(s *Source, name string, asked []int) map[int]string {
	r.ask(s, name, asked, "there", "k + ASKED_TURNS - 1")
	s.Line("ptx::wait_for_groups<ASKED_TURNS - 1>();")
	taken := map[int]string{}
	for position, j := range asked {
		taken[j] = fmt.Sprint("cell", position)
		s.Line("const u64 %s = asked[here][%d][threadIdx.x];", taken[j], position)
	}
	s.Line("there = here;")
	s.Line("here = here == ASKED_TURNS - 1 ? 0 : here + 1;")
	return taken
}

// leafAddress returns the expression of the address of a main cell.
func (r *Run) leafAddress(j int) string {
	leaves, _ := r.names()
	return r.addressOf(j, leaves[j])
}

// addressOf returns the expression of the address of the cell in a column that a main leaf reads.
func (r *Run) addressOf(j int, column string) string {
	if r.shape.leaves[j].next {
		return fmt.Sprintf("row.main_next_at(%s)", column)
	}
	return fmt.Sprintf("row.main_at_column(%s)", column)
}
