package kernels

import (
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// Field constants of the transforms. The root has order 2^32 and its power of order 64 is 8.
const (
	Modulus        = 1<<64 - 1<<32 + 1
	twoAdicRoot    = 7277203076849721926
	twoAdicity     = 32
	rootLog        = 26 // the order of the root that the tables hold powers of
	powerLog       = 13
	powerTableSize = 1 << powerLog

	// MaxLogSize is the largest transform, and the largest low-degree extension.
	MaxLogSize = rootLog
)

// Transforms runs number-theoretic transforms on a context. It owns tables of powers of the root and of the shift.
type Transforms struct {
	set                 *Set
	root, up, down      powers // of the root, the shift, the shift's inverse
	shift, shiftInverse uint64
	ahead               bool // blocks have a second tile

	// SmallLog is the largest log size at which one thread transforms a whole column. The default comes from the
	// device's tuning.
	SmallLog int
	// WidestPass bounds the levels of a pass. It is 8; a value from 5 to 8 makes transforms of few points take as many
	// passes as the largest.
	WidestPass int
}

// powers are the tables of one base: its power e is low[e mod 2^13] high[e / 2^13], for e below 2^26.
type powers struct{ low, high cuda.Span }

// powerTables are powers as the kernels take them.
type powerTables struct {
	Low  cuda.Pointer `cuda:"const u64 *"`
	High cuda.Pointer `cuda:"const u64 *"`
}

var powersHeader = header.New("goldilocks.cuh").Constant("POWER_LOG", powerLog).Constant("ROOT_LOG", rootLog).
	Struct("Powers", powerTables{})

func (p powers) tables() powerTables { return powerTables{p.low.Pointer(), p.high.Pointer()} }

func (p powers) argument() cuda.Argument { return cuda.Value(p.tables()) }

// TransformTableBytes is the memory that NewTransforms takes from its scope.
const TransformTableBytes = 6 * powerTableSize * 8

// NewTransforms makes the tables, in the scope, for cosets of the given shift.
func NewTransforms(set *Set, stream *cuda.Stream, scope *cuda.Scope, shift uint64) (*Transforms, error) {
	if shift == 0 || shift >= Modulus {
		return nil, fmt.Errorf("the coset shift %d is not invertible in the field", shift)
	}
	t := &Transforms{set: set, shift: shift, shiftInverse: power(shift, Modulus-2),
		SmallLog: set.tuning.Transform.SmallLog, WidestPass: widestPass}
	buffer, err := scope.Take("transform tables", TransformTableBytes)
	if err != nil {
		return nil, err
	}
	for i, table := range []struct {
		into *powers
		base uint64
	}{{&t.root, power(twoAdicRoot, 1<<(twoAdicity-rootLog))}, {&t.up, shift}, {&t.down, t.shiftInverse}} {
		low, errLow := buffer.Span(uint64(2*i)*powerTableSize*8, powerTableSize*8)
		high, errHigh := buffer.Span(uint64(2*i+1)*powerTableSize*8, powerTableSize*8)
		*table.into = powers{low, high}
		err := errors.Join(errLow, errHigh)
		if err == nil {
			err = set.launch(stream, "power_tables", cuda.Linear(powerTableSize, 256), cuda.Address(low),
				cuda.Address(high), cuda.U64(table.base))
		}
		if err != nil {
			return nil, err
		}
	}
	if set.tuning.Transform.LoadAhead {
		err = t.LoadAhead()
	}
	return t, err
}

// LoadAhead makes blocks copy the next column's words to a second tile of shared memory while they work on a column.
// The device's tuning, or a test, calls it; on a GPU the kernels decide by their architecture.
func (t *Transforms) LoadAhead() error {
	for levels := leastPass; levels <= widestPass; levels++ {
		for _, last := range []bool{false, true} {
			f, err := t.set.Function(passName(levels, last))
			if err == nil {
				err = f.AllowShared(aheadBytes(levels, last))
			}
			if err != nil {
				return err
			}
		}
	}
	t.ahead = true
	return nil
}

// Order is the order of a column's values.
type Order int

// Orders.
const (
	Natural  Order = iota // value i at index i
	Reversed              // value i at index rev(i)
)

// The flags of the kernels.
const (
	inputReversed = 1 << iota // the first pass reads its input in bit-reversed order
	outputNatural             // the last pass stores in natural order
	outputNegated             // and at minus the index: the inverse transform
	scaleInput                // the first pass multiplies by scale
	shiftInput                // the first pass multiplies by s_c^i
	shiftOutput               // the last pass multiplies by shift^i, i the natural index it stores at
	loadAhead                 // software device only: words come through dynamic shared memory, one column ahead
)

// A thread has sixteen points. Before the last pass a block has one thread per row, and thus sixteen lanes, a line of
// memory: the fewer threads, the less they wait for one another. In a last pass, or a pass of one step, threads do not
// wait, so a block may have more.
const (
	tilePoints   = 4096 // of a last pass
	tileThreads  = 256
	threadPoints = tilePoints / tileThreads
	warpThreads  = 32
)

// passThreads returns the number of threads of a block.
func passThreads(levels int, last bool) uint64 {
	switch {
	case last:
		return tileThreads
	case levels == leastPass:
		return tileThreads / 2 // they exchange nothing
	}
	return 1 << levels
}

// aheadBytes returns the dynamic shared memory of a block that loads ahead, with the padding of a last pass's tile.
func aheadBytes(levels int, last bool) uint64 {
	words := passThreads(levels, last) * threadPoints
	if last {
		words += words / 8
	}
	return words * 8
}

func passName(levels int, last bool) string {
	if last {
		return fmt.Sprint("transform_last_", levels)
	}
	return fmt.Sprint("transform_pass_", levels)
}

// transform is the argument of the kernels of transform.cu: one pass of a plan.
type transform struct {
	Out                      cuda.Pointer `cuda:"u64 *"`
	In                       cuda.Pointer `cuda:"const u64 *"`
	OutStride, InStride      uint64       // from column to column, in words
	Root                     powerTables  `cuda:"Powers"` // of order 2^26
	Shift                    powerTables  `cuda:"Powers"` // of g, or of the base of the output's scaling
	Scale                    uint64
	Columns, ColumnsPerBlock uint32
	LogSize                  uint32 // L
	LogRemaining             uint32 // S: subtransforms of 2^S points are left before this pass
	LogCosets                uint32 // E
	LogDone                  uint32 // 2^LogDone cosets are computed: all, or one
	FirstCoset               uint32 // modulo 2^(L+E)
	Flags                    uint32
}

var transformHeader = header.New("powers.cuh").Constant("TILE", tilePoints).Constant("TILE_THREADS", tileThreads).
	Constant("INPUT_REVERSED", inputReversed).Constant("OUTPUT_NATURAL", outputNatural).
	Constant("OUTPUT_NEGATED", outputNegated).
	Constant("SCALE_INPUT", scaleInput).Constant("SHIFT_INPUT", shiftInput).Constant("SHIFT_OUTPUT", shiftOutput).
	Constant("LOAD_AHEAD", loadAhead).Struct("Transform", transform{})

// Forward evaluates polynomials of 2^logSize coefficients, in natural order, on the subgroup of that order. The
// values are in bit-reversed order. It may be in place.
func (t *Transforms) Forward(s *cuda.Stream, out, in Columns, logSize int) error {
	return t.run(s, plan{out: out, in: in, work: out, logSize: logSize, table: t.up})
}

// Extend evaluates polynomials of 2^logSize coefficients, in natural order, on the coset of the shift by the subgroup
// of order 2^(logSize+logBlowup). The values are in bit-reversed order; out is that much higher and not in.
func (t *Transforms) Extend(s *cuda.Stream, out, in Columns, logSize, logBlowup int) error {
	return t.run(s, plan{out: out, in: in, work: out, logSize: logSize, logCosets: logBlowup, logDone: logBlowup,
		flags: shiftInput, table: t.up})
}

// ExtendCoset computes one coset of Extend: that of shift g w^coset, g the shift and w of order 2^(logSize+logBlowup).
// Coset may be negative: given the coefficients of f(w^k x), coset -k has the values of f on the coset of shift g. Out
// has the height of in and may be in.
func (t *Transforms) ExtendCoset(s *cuda.Stream, out, in Columns, logSize, logBlowup, coset int) error {
	return t.run(s, plan{out: out, in: in, work: out, logSize: logSize, logCosets: logBlowup, firstCoset: uint32(coset),
		flags: shiftInput, table: t.up})
}

// Interpolate writes the coefficients, in natural order, of the polynomials with the given values on the subgroup of
// order 2^logSize, or on its coset by the shift. Work is memory of the height of in: it may be in if the order is
// natural, but not if it is reversed. Out may be in if work is not.
func (t *Transforms) Interpolate(s *cuda.Stream, out, in, work Columns, logSize int, order Order, coset bool) error {
	size := uint64(1) << max(0, min(logSize, MaxLogSize))
	p := plan{out: out, in: in, work: work, logSize: logSize, flags: scaleInput | outputNatural | outputNegated,
		scale: power(size, Modulus-2),
		table: t.down}
	if order == Reversed {
		p.flags |= inputReversed
	}
	if coset {
		p.flags |= shiftOutput
	}
	return t.run(s, p)
}

// plan is one batch of transforms.
type plan struct {
	out, in, work      Columns
	logSize, logCosets int
	logDone            int // 2^logDone cosets are computed: all, or one
	firstCoset         uint32
	flags              uint32
	scale              uint64
	table              powers
}

func (p *plan) check() error {
	if p.logSize < 0 || p.logCosets < 0 || p.logSize+p.logCosets > MaxLogSize {
		return fmt.Errorf("a transform of 2^%d points on 2^%d cosets: at most 2^%d values are supported", p.logSize,
			p.logCosets, MaxLogSize)
	}
	if p.out.Count != p.in.Count || p.work.Count != p.in.Count {
		return fmt.Errorf("a transform of %d columns to %d", p.in.Count, p.out.Count)
	}
	height := uint64(1) << p.logSize
	return errors.Join(p.in.check("transform input", height), p.out.check("transform output", height<<p.logDone),
		p.work.check("transform work space", height))
}

// leastPass is the smallest number of levels of a pass. One thread computes a transform of no more levels.
const leastPass = 4

// widestPass is the number of levels of the largest tile.
const widestPass = 8

// passes splits the levels into as few passes as possible. In bit-reversed order the last pass is as large as possible,
// because it does the least besides loads and stores and has no barriers. The first is 4 if the others can take the
// rest: it is then one step, without the multiplications between two. In natural order the last is 4 if possible: it
// stores the longest runs.
func passes(logSize, widest int, natural bool) []int {
	count := (logSize + widest - 1) / widest
	if count == 1 {
		return []int{logSize}
	}
	if natural {
		last := max(leastPass, logSize-widest*(count-1))
		return append(shared(logSize-last, count-1), last)
	}
	last := min(widest, logSize-leastPass*(count-1))
	rest := logSize - last
	if rest-leastPass <= widest*(count-2) {
		return append(append([]int{leastPass}, shared(rest-leastPass, count-2)...), last)
	}
	return append(shared(rest, count-1), last)
}

// shared splits the levels into equal parts; if they do not divide evenly, the earlier parts are smaller by one.
func shared(levels, count int) []int {
	parts := make([]int, count)
	for i := range parts {
		parts[i] = (levels + i) / count
	}
	return parts
}

// run processes the columns in chunks that stay in the second-level cache between passes.
func (t *Transforms) run(s *cuda.Stream, p plan) error {
	if err := p.check(); err != nil {
		return err
	}
	height := uint64(1) << p.logSize
	extended := height << p.logDone
	chunk := p.in.Count
	if bytes := t.set.tuning.Transform.ChunkBytes; bytes != 0 {
		chunk = uint32(min(uint64(chunk), max(1, bytes/(extended*8))))
	}
	for first := uint32(0); first < p.in.Count; first += chunk {
		count := min(chunk, p.in.Count-first)
		part := p
		var errs [3]error
		part.in, errs[0] = p.in.Part(first, count, height)
		part.out, errs[1] = p.out.Part(first, count, extended)
		part.work, errs[2] = p.work.Part(first, count, height)
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		if err := t.runChunk(s, part); err != nil {
			return err
		}
	}
	return nil
}

func (t *Transforms) runChunk(s *cuda.Stream, p plan) error {
	if p.logSize <= max(leastPass, t.SmallLog) {
		values := uint64(p.in.Count) << p.logDone
		return t.set.launch(s, "transform_small", cuda.Linear(values, 128), t.argument(p, p.out, p.in, p.logSize, 1))
	}
	parts := passes(p.logSize, t.WidestPass, p.flags&outputNatural != 0)
	remaining := p.logSize
	from := p.in
	for i, levels := range parts {
		last, to := i == len(parts)-1, p.work
		if last {
			to = p.out
		}
		shape, perBlock := t.shape(p, levels, i == 0, last)
		part := p
		if t.ahead {
			shape.SharedBytes, part.flags = aheadBytes(levels, last), p.flags|loadAhead
		}
		if err := t.set.launchLayers(s, passName(levels, last), shape,
			t.argument(part, to, from, remaining, perBlock)); err != nil {
			return err
		}
		from = to
		remaining -= levels
	}
	return nil
}

// shape returns the launch shape of a pass, and the number of columns of a block. There is a block for each tile, coset
// and group of columns. A block computes its twiddles once for its group, which costs TwiddlePercent of a column.
// Larger groups need fewer twiddles, but leave the last wave of blocks on the device less full: shape chooses the
// number of groups of the least cost. In a first pass, where cosets read the same words, their blocks are adjacent.
func (t *Transforms) shape(p plan, levels int, first, last bool) (cuda.Shape, uint32) {
	lanes := uint64(1) << (p.logSize - levels)
	threads := passThreads(levels, last)
	// Without a barrier, surplus threads would load words that others have overwritten.
	if !last || p.flags&outputNatural == 0 {
		threads = min(threads, max(warpThreads, uint64(1)<<p.logSize/threadPoints))
	}
	perTile := threads * threadPoints >> levels
	tiles := (lanes + perTile - 1) / perTile
	cosets := uint64(1) << p.logDone
	resident := t.set.tuning.Transform.ResidentThreads / threads * uint64(max(1, t.set.context.Device().Multiprocessors))
	perBlock, least := p.in.Count, uint64(math.MaxUint64)
	for groups := uint32(1); groups <= min(p.in.Count, 256); groups++ {
		columns := (p.in.Count + groups - 1) / groups
		rounds := (tiles*cosets*uint64(groups) + resident - 1) / resident
		if cost := rounds * (100*uint64(columns) + t.set.tuning.Transform.TwiddlePercent); cost < least {
			perBlock, least = columns, cost
		}
	}
	groups := uint64((p.in.Count + perBlock - 1) / perBlock)
	grid := cuda.Dim{X: tiles, Y: groups, Z: cosets}
	if first {
		grid.X, grid.Z = tiles*cosets, 1
	}
	return cuda.Shape{Grid: grid, Block: cuda.Dim{X: threads}}, perBlock
}

// argument returns the kernel's argument for a pass over subtransforms of 2^remaining points.
func (t *Transforms) argument(p plan, to, from Columns, remaining int, perBlock uint32) cuda.Argument {
	return cuda.Value(transform{
		Out: to.Span.Pointer(), In: from.Span.Pointer(), OutStride: to.Stride, InStride: from.Stride,
		Root: t.root.tables(), Shift: p.table.tables(), Scale: p.scale,
		Columns: p.in.Count, ColumnsPerBlock: perBlock,
		LogSize: uint32(p.logSize), LogRemaining: uint32(remaining), LogCosets: uint32(p.logCosets),
		LogDone: uint32(p.logDone), FirstCoset: p.firstCoset, Flags: p.flags,
	})
}

// power returns base^exponent in the field, for constants that the host computes.
func power(base, exponent uint64) uint64 {
	result := uint64(1)
	for ; exponent != 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result = multiply(result, base)
		}
		base = multiply(base, base)
	}
	return result
}
