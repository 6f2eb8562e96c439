package ntt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

// TestPassesAgainstDefinition runs a pass of every radix on data with many edges of the field, on slices at any word
// offset, and compares each output with the sum that defines it.
func TestPassesAgainstDefinition(t *testing.T) {
	cpufeaturetest.InEveryForm(t, testPassesAgainstDefinition)
}

func testPassesAgainstDefinition(t *testing.T) {
	r := newRand(10)
	var w workspace
	for logRadix := 1; logRadix <= logMaxRadix; logRadix++ {
		for _, c := range []passCase{
			{tiles: 1, order: forwardReversed},
			{tiles: 2, start: 1, order: inverseNatural},
			{tiles: 3, start: 3, order: inverseNatural, outOfPlace: true, apart: true},
			{tiles: 1, start: 5, shared: true, order: forwardReversed},
			{tiles: 3, start: 2, shared: true, order: inverseNatural, outOfPlace: true},
			{tiles: 2, start: 2, plain: true, order: forwardReversed},
			{tiles: 4, start: 1, plain: true, order: inverseNatural, outOfPlace: true, apart: true},
			{tiles: 3, start: 7, order: forwardReversed, repeated: true, apart: true},
		} {
			t.Run(fmt.Sprintf("radix=%d/%+v", 1<<logRadix, c), func(t *testing.T) { c.run(t, r, &w, logRadix) })
		}
	}
}

// passCase is a pass over tiles tiles, starting at a slice's entry start.
type passCase struct {
	tiles, start  int
	shared, plain bool
	order         rowOrder
	outOfPlace    bool
	apart         bool // tiles do not touch, and rows are closer than tiles
	repeated      bool // all tiles have the same twiddles
}

func (c passCase) run(t *testing.T, r *rand.Rand, w *workspace, logRadix int) {
	radix := 1 << logRadix
	rowDistance, tileDistance := c.tiles*tile, tile
	if c.apart {
		rowDistance, tileDistance = tile+1, radix*(tile+1)+3
	}
	source := randomColumn(r, c.start+radix*rowDistance+c.tiles*tileDistance)[c.start:]
	before := slices.Clone(source)
	p := pass{
		logRadix: logRadix, tiles: c.tiles,
		src: source, dst: source,
		offsets: storeAt(logRadix, rowDistance, c.order), stride: rowDistance,
		srcStep: tileDistance, dstStep: tileDistance,
		shared: c.shared, scratch: &w.scratch,
	}
	if c.outOfPlace {
		p.dst = randomColumn(r, c.start+len(source))[c.start:]
	}
	untouched := slices.Clone(p.dst)
	perRow := tile
	if c.shared {
		perRow = 1
	}
	if !c.plain {
		p.twiddles = randomColumn(r, radix*c.tiles*perRow+1)[1:]
		p.twiddleStep = radix * perRow
	}
	if c.repeated {
		p.twiddleStep = 0
	}
	p.run()
	root := goldilocks.RootOfUnity(logRadix)
	for k := range radix {
		row := reverseBits(k, logRadix)
		if c.order == inverseNatural {
			row = -k & (radix - 1)
		}
		for j := range c.tiles * tile {
			at, lane := j/tile*tileDistance, j%tile
			want := element(0)
			for i := range radix {
				want = want.Add(before[i*rowDistance+at+lane].Mul(root.Exp(uint64(i * k))))
			}
			if !c.plain {
				want = want.Mul(p.twiddles[j/tile*p.twiddleStep+k*perRow+lane*(perRow/tile)])
			}
			place := row*rowDistance + at + lane
			if got := p.dst[place]; got != want {
				t.Fatalf("output %d of column %d is %#x, want %#x", k, j, uint64(got), uint64(want))
			}
			untouched[place] = want
		}
	}
	if !slices.Equal(p.dst, untouched) {
		t.Fatal("the pass wrote outside its rows")
	}
	if c.outOfPlace && !slices.Equal(source, before) {
		t.Fatal("the pass changed its source")
	}
}

func TestScaleRows(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(13)
		for _, rows := range []int{1, 2, 8, 64} {
			const stride = tile + 5
			source, factors := randomColumn(r, rows*stride+3)[3:], randomColumn(r, rows)
			dst := randomColumn(r, rows*tile+2)[1:]
			behind := dst[rows*tile]
			scaleRows(dst, source, stride, 0, factors)
			for i := range rows * tile {
				if want := source[i/tile*stride+i%tile].Mul(factors[i/tile]); dst[i] != want {
					t.Fatalf("entry %d is %d, want %d", i, dst[i], want)
				}
			}
			if dst[rows*tile] != behind {
				t.Fatal("scaleRows wrote behind the rows")
			}
		}
	})
}

// TestLastPass transforms blocks in place, at any alignment, and compares them with
// the sums that define the values.
func TestLastPass(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(14)
		var w workspace
		root := goldilocks.RootOfUnity(logLast)
		for _, blocks := range []int{8, 24} {
			memory := randomColumn(r, blocks*last+6)
			before := slices.Clone(memory)
			lastBitReversed(&w, memory[5:5+blocks*last])
			for b := range blocks {
				block := before[5+b*last:][:last]
				for k := range last {
					if got, want := memory[5+b*last+reverseBits(k, logLast)], evaluate(block, root.Exp(uint64(k))); got != want {
						t.Fatalf("block %d of %d: value %d is %d, want %d", b, blocks, k, got, want)
					}
				}
			}
			if !slices.Equal(memory[:5], before[:5]) || memory[len(memory)-1] != before[len(memory)-1] {
				t.Fatal("the pass wrote outside its blocks")
			}
		}
	})
}

// TestTransposes moves blocks from any offsets into a tile, and columns out of it.
func TestTransposes(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(11)
		const start = 3
		source := randomColumn(r, start+16*last)[start:]
		offsets := blockOffsets{5 * last, 0, 11*last + 1, 3 * last, 14 * last, 2*last + 7, 9 * last, 7 * last}
		var rows [last * tile]element
		transposeIn(&rows, source, &offsets)
		for i, offset := range offsets {
			for j := range last {
				row := reverseBits(j, logLast)
				if got, want := rows[row*tile+i], source[offset+j]; got != want {
					t.Fatalf("row %d, column %d is %d, want %d", row, i, got, want)
				}
			}
		}
		for _, stride := range []int{last, last + 5} {
			dst := randomColumn(r, start+tile*stride+1)[start:]
			want := slices.Clone(dst)
			transposeOut(dst, rows[:], stride)
			for i := range offsets {
				for j := range last {
					want[i*stride+j] = rows[j*tile+i]
				}
			}
			if !slices.Equal(dst, want) {
				t.Fatalf("blocks %d apart came back changed, or something beside them", stride)
			}
		}
	})
}

func TestMulByRoots(t *testing.T) {
	r := newRand(12)
	inputs := append(randomColumn(r, 20_000), 1<<16, 1<<48, 0xffff<<48, 1<<63, 1<<40-1, 1<<24-1, 0xffffffff<<16)
	for _, a := range inputs {
		for k, got := range map[uint]element{24: mul24(a), 48: mul48(a), 72: mul72(a)} {
			if want := a.Mul(element(2).Exp(uint64(k))); got != want {
				t.Fatalf("%#x * 2^%d: got %#x, want %#x", uint64(a), k, uint64(got), uint64(want))
			}
		}
	}
}
