package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// maxAhead is the number of cells that a loop reads a turn ahead, for the registers that they take. Without that all
// warps wait for memory at once: they begin together, and each turn takes them equally long.
const maxAhead = 6

// openAhead declares a run's table and reads the cells of the first repetition, if they are few; it lists their leaves.
func (r *Run) openAhead(s *Source, name string) (ahead []int) {
	for j, l := range r.shape.leaves {
		if l.op == air.Main {
			ahead = append(ahead, j)
		}
	}
	if len(ahead) > maxAhead {
		ahead = nil
	}
	last := len(r.items) - 1
	padded := r.part(0, len(r.items))
	padded.add(r.items[last], r.leaves[last], r.extra[last]) // the last turn reads it
	padded.declare(s, name)
	s.Line("u32 next = 0;")
	if len(ahead) == 0 {
		return nil
	}
	for _, j := range ahead {
		s.Line("u64 ahead%d, cell%d;", j, j)
	}
	s.Line("{")
	padded.entryOf(s, name, "0")
	for _, j := range ahead {
		s.Line("ahead%d = %s;", j, r.readLeaf(j))
	}
	s.Line("}")
	return ahead
}

// readAhead hands the cells that were read to a turn and reads the next turn's.
func (r *Run) readAhead(s *Source, name string, ahead []int) map[int]string {
	if len(ahead) == 0 {
		r.entryOf(s, name, "k")
		return nil
	}
	cells := map[int]string{}
	s.Line("{")
	r.entryOf(s, name, "next")
	for _, j := range ahead {
		s.Line("cell%d = ahead%d;", j, j)
		s.Line("ahead%d = %s;", j, r.readLeaf(j))
		cells[j] = fmt.Sprint("cell", j)
	}
	s.Line("}")
	if r.othersVary(ahead) {
		r.entryOf(s, name, "k")
	}
	return cells
}

// othersVary reports whether repetitions differ in more than the cells that are read ahead.
func (r *Run) othersVary(ahead []int) bool {
	count := len(r.table())
	for _, j := range ahead {
		if !constant(r.leafColumn(j)) {
			count--
		}
	}
	return count > 0
}

// readLeaf is the expression of a main cell.
func (r *Run) readLeaf(j int) string {
	leaves, _ := r.names()
	if r.shape.leaves[j].next {
		return fmt.Sprintf("row.main_next(%s)", leaves[j])
	}
	return fmt.Sprintf("row.main(%s)", leaves[j])
}
