package ntt

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// series is the twiddles of the tiles of a pass, in the pass's order and memory layout: a chunk of tiles at a time.
// Output k of a tile has factor * steps[k]^c in column c. From one tile to the next, columns advance by the same
// distance, except that they restart after each run of a fixed number of tiles.
//
// Short series are a table of all tiles. For longer ones only each run's first chunk is kept, from which a cursor
// computes the run's other chunks by multiplication.
type series struct {
	size   int       // of the twiddles of a chunk
	length int       // chunks in a run
	starts []element // the first chunk of each run
	growth []element // from a chunk to the next in its run
	table  []element // all chunks, or nil
}

// logMaxTable bounds the series that are tables. Up to this size, reading a table, which all workers and columns
// share, costs less than a multiplication.
const logMaxTable = 16

// walk is the order in which a pass goes through columns: in runs that start runStep columns apart, through length
// tiles that are tileStep columns apart, chunk tiles at a time.
type walk struct {
	runs, runStep    int
	length, tileStep int
	chunk            int
}

func newSeries(steps []element, factor element, p walk) *series {
	tileSize := len(steps) * tile
	s := &series{size: p.chunk * tileSize, length: p.length / p.chunk}
	s.growth = constantTiles(steps, p.chunk*p.tileStep, p.chunk)
	s.starts = make([]element, p.runs*s.size)
	for k, step := range steps {
		copy(s.starts[k*tile:], powers(factor, step, tile))
	}
	grow := constantTiles(steps, p.tileStep, 1)
	for i := tileSize; i < s.size; i += tileSize {
		goldilocks.MulVector(s.starts[i:i+tileSize], s.starts[i-tileSize:i], grow)
	}
	grow = constantTiles(steps, p.runStep, p.chunk)
	for i := s.size; i < len(s.starts); i += s.size {
		goldilocks.MulVector(s.starts[i:i+s.size], s.starts[i-s.size:i], grow)
	}
	switch total := p.runs * p.length * tileSize; {
	case s.length == 1:
		s.table = s.starts
	case total <= 1<<logMaxTable:
		s.expand()
	}
	return s
}

// expand makes the series a table.
func (s *series) expand() {
	if s.table != nil {
		return
	}
	total := len(s.starts) * s.length
	s.table = make([]element, total)
	for i := 0; i < total; i += s.size {
		s.fill(s.table[i:i+s.size], s.table[max(i-s.size, 0):], i/s.size)
	}
}

// constantTiles returns tiles whose row k is steps[k]^exponent everywhere.
func constantTiles(steps []element, exponent, count int) []element {
	t := make([]element, 0, count*len(steps)*tile)
	for _, step := range steps {
		w := step.Exp(uint64(exponent))
		for range tile {
			t = append(t, w)
		}
	}
	for range count - 1 {
		t = append(t, t[:len(steps)*tile]...)
	}
	return t
}

// fill computes chunk i from the previous one.
func (s *series) fill(dst, before []element, i int) {
	if i%s.length == 0 {
		copy(dst, s.starts[i/s.length*s.size:][:s.size])
		return
	}
	goldilocks.MulVector(dst, before[:s.size], s.growth)
}

// run returns all twiddles of run i of a series that is a table.
func (s *series) run(i int) []element {
	size := s.length * s.size
	return s.table[i*size : (i+1)*size]
}

// grain returns the number of chunks that a cursor must take consecutively.
func (s *series) grain() int {
	if s.table != nil {
		return 1
	}
	return s.length
}

// cursor steps through a series from the start of some run.
type cursor struct {
	tile [maxRadix * tile]element
}

// at returns the twiddles of chunk i, which must be the first of a run or the successor of the previous call's.
func (c *cursor) at(s *series, i int) []element {
	if s.table != nil {
		return s.table[i*s.size : (i+1)*s.size]
	}
	current := c.tile[:s.size]
	s.fill(current, current, i)
	return current
}

// powers returns first * base^j for j below n.
func powers(first, base element, n int) []element {
	p := make([]element, n)
	for j := range p {
		p[j] = first
		first = first.Mul(base)
	}
	return p
}
