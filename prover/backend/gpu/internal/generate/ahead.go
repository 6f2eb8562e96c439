package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// maxAhead bounds the cells that a loop reads one turn ahead, because they take registers. Without reading ahead, all
// warps would wait for memory at the same time: they start together, and their turns take equally long.
const maxAhead = 6

// cellsAhead lists the leaves that are cells, if a turn of the given number of repetitions has few enough of them to
// read ahead.
func (r *Run) cellsAhead(turn int) (ahead []int) {
	for j, l := range r.shape.leaves {
		if l.op == air.Main {
			ahead = append(ahead, j)
		}
	}
	if turn*len(ahead) > maxAhead {
		return nil
	}
	return ahead
}

// openAhead declares a run's table and reads the cells of the first turn.
func (r *Run) openAhead(s *Source, name string, turn int, ahead []int) {
	if len(ahead) == 0 {
		r.declare(s, name)
		return
	}
	last := len(r.items) - 1
	padded := r.part(0, len(r.items))
	for range turn {
		padded.add(r.items[last], r.leaves[last], r.extra[last]) // the last turn reads them
	}
	padded.declare(s, name)
	for repetition := range turn {
		for _, j := range ahead {
			position := r.positionAhead(repetition, j)
			s.Line("u64 ahead%d, cell%d;", position, position)
		}
	}
	for repetition := range turn {
		s.Line("{")
		padded.entryOf(s, name, fmt.Sprint(repetition))
		for _, j := range ahead {
			s.Line("ahead%d = %s;", r.positionAhead(repetition, j), r.readLeaf(j))
		}
		s.Line("}")
	}
}

// positionAhead numbers the cells of a turn.
func (r *Run) positionAhead(repetition, leaf int) int { return repetition*len(r.shape.leaves) + leaf }

// readAhead passes a repetition the cells that were read for it, and reads the cells of the same repetition in the next
// turn, whose index is next.
func (r *Run) readAhead(s *Source, name, next string, repetition int, ahead []int) map[int]string {
	if len(ahead) == 0 {
		return nil
	}
	cells := map[int]string{}
	s.Line("{")
	r.entryOf(s, name, next)
	for _, j := range ahead {
		position := r.positionAhead(repetition, j)
		s.Line("cell%d = ahead%d;", position, position)
		s.Line("ahead%d = %s;", position, r.readLeaf(j))
		cells[j] = fmt.Sprint("cell", position)
	}
	s.Line("}")
	return cells
}

// entryBeside looks up repetition k in the table, if the table contains more than the cells that are read ahead.
func (r *Run) entryBeside(s *Source, name string, ahead []int) {
	if r.othersVary(ahead) {
		r.entryOf(s, name, "k")
	}
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

// readLeaf returns the expression of a main cell.
func (r *Run) readLeaf(j int) string {
	leaves, _ := r.names()
	if r.shape.leaves[j].next {
		return fmt.Sprintf("row.main_next(%s)", leaves[j])
	}
	return fmt.Sprintf("row.main(%s)", leaves[j])
}
