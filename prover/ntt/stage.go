package ntt

import "sync"

// workspace is what one worker needs while it runs passes: 24 KiB, which stay
// in the first-level cache. Kernels are fastest when a row of a tile does not
// straddle cache lines, and Go aligns an object of this size to a page.
type workspace struct {
	scratch  [maxRadix * tile]element // of the pass
	rows     [last * tile]element     // of the last pass
	twiddles [1 << logGroup]element   // of a group of tiles
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// withWorkspace calls body with a workspace.
func withWorkspace(body func(w *workspace)) {
	w := workspaces.Get().(*workspace)
	body(w)
	workspaces.Put(w)
}

// stage is the pass that a transform makes over all blocks of one size. It is
// immutable once made.
type stage struct {
	log, logRadix int // of the block, of the pass
	offsets       *[maxRadix]int
	prescale      []element // factor of each row, nil for none
	computed      *twiddles // the twiddles, computed where they are used,
	table         []element // or all of them where they fit
}

// logGroup is the size of a group of tiles whose twiddles are computed
// together: 16 KiB of them stay in the first-level cache while they are used
// for every column.
const logGroup = 11

func newStage(log, logRadix int, inverse bool, shift, factor element) *stage {
	s := &stage{
		log: log, logRadix: logRadix,
		offsets:  rowOffsets(logRadix, 1<<(log-logRadix), inverse),
		computed: newTwiddles(log, logRadix, inverse, shift, factor),
	}
	if shift != 1 {
		rowShift := shift.Exp(1 << (log - logRadix))
		w := element(1)
		for range 1 << logRadix {
			s.prescale = append(s.prescale, w)
			w = w.Mul(rowShift)
		}
	}
	switch {
	case log > logMaxTable:
	case shift == 1 && factor == 1:
		s.table = table(log, logRadix, inverse)
	default:
		s.table = make([]element, 1<<log)
		s.computed.fill(s.table, 0)
	}
	return s
}

// tiles is the number of tiles of a block.
func (s *stage) tiles() int { return 1 << (s.log - s.logRadix - logTile) }

// grain is the number of tiles that are best taken together.
func (s *stage) grain() int { return 1 << (logGroup - s.logRadix - logTile) }

// run runs tiles [lo, hi) of the pass over blocks: dst[i] from src[i], which may
// be the same.
func (s *stage) run(w *workspace, dst, src [][]element, lo, hi int) {
	p := pass{
		logRadix: s.logRadix,
		offsets:  s.offsets,
		stride:   1 << (s.log - s.logRadix),
		prescale: s.prescale,
		scratch:  &w.scratch,
	}
	logTwiddles := s.logRadix + logTile
	if s.table != nil {
		p.tiles, p.twiddles = hi-lo, s.table[lo<<logTwiddles:hi<<logTwiddles]
		p.runOver(dst, src, lo)
		return
	}
	for ; lo < hi; lo += s.grain() {
		p.tiles = min(s.grain(), hi-lo)
		p.twiddles = w.twiddles[:p.tiles<<logTwiddles]
		s.computed.fill(p.twiddles, lo)
		p.runOver(dst, src, lo)
	}
}

// runOver runs the pass from tile lo on over each block.
func (p *pass) runOver(dst, src [][]element, lo int) {
	for i := range dst {
		p.dst, p.src = dst[i][lo*tile:], src[i][lo*tile:]
		p.run()
	}
}
