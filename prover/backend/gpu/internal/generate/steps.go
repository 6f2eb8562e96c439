package generate

import "fmt"

// steppedLoop is the loop of a staged kernel over repetitions that each read one cell, in consecutive columns. The
// cell's address grows by a column's length, which takes two additions. Looking an address up takes a wide
// multiply-add, a load, and conversions of widths.
type steppedLoop struct {
	run      *Run
	cell     int // the leaf
	turn     int // repetitions
	segments []segment
}

// segment is a number of turns over consecutive columns. Every turn reads a full turn's columns: the remaining
// repetitions of a stretch form a segment of one turn, which repeats preceding repetitions with weight zero.
type segment struct{ first, again, turns int }

// findSteps finds the segments of a run. It has none if its cells are not read ahead, if it reads anything else, or if
// a stretch of columns is shorter than a turn.
func findSteps(run *Run, turn int, ahead []int) *steppedLoop {
	if len(ahead) != 1 || run.othersVary(ahead) {
		return nil
	}
	l := &steppedLoop{run: run, cell: ahead[0], turn: turn}
	columns := run.leafColumn(ahead[0])
	for first := 0; first < len(columns); {
		end := first + 1
		for end < len(columns) && columns[end] == columns[end-1]+1 {
			end++
		}
		if end-first < turn {
			return nil
		}
		whole := (end - first) / turn
		l.segments = append(l.segments, segment{first, 0, whole})
		if rest := (end - first) % turn; rest > 0 {
			l.segments = append(l.segments, segment{end - turn, turn - rest, 1})
		}
		first = end
	}
	return l
}

// turns returns the number of turns of all segments.
func (l *steppedLoop) turns() int {
	count := 0
	for _, g := range l.segments {
		count += g.turns
	}
	return count
}

// stepped writes the loop, with a turn's cells read a turn ahead.
func (s *stager) stepped(l *steppedLoop, members []cluster) {
	columns, table := l.run.leafColumn(l.cell), [][]uint32{nil, nil}
	for _, g := range l.segments {
		table[0] = append(table[0], columns[g.first])
		table[1] = append(table[1], uint32(g.turns))
		for turn := range g.turns {
			s.weights(l.run.shape, members[g.first+turn*l.turn:][:l.turn], g.again, l.turn)
		}
	}
	s.declareTable(s.name, table)
	s.Line("const u64 step = rows.main_stride;")
	s.Line("NO_UNROLL for (u32 segment = 0; segment < %d; segment++) {", len(l.segments))
	s.Line("u64 at = %s;", l.run.addressOf(l.cell, s.name+"[segment][0]"))
	for repetition := range l.turn {
		s.Line("u64 ahead%d = load_held(at + %d * step);", repetition, repetition)
	}
	s.Line("NO_UNROLL for (u32 left = %s[segment][1]; left > 0;) {", s.name)
	s.Line("left--;")
	s.Line("at += left > 0 ? %d * step : 0;", l.turn)
	for repetition := range l.turn {
		s.Line("const u64 cell%d = ahead%d;", repetition, repetition)
		s.Line("ahead%d = load_held(at + %d * step);", repetition, repetition)
	}
	for repetition := range l.turn {
		s.Line("{")
		s.stageCluster(l.run, members[0], "0u", map[int]string{l.cell: fmt.Sprint("cell", repetition)})
	}
	s.weigh()
	s.Line("}")
	s.Line("}")
}
