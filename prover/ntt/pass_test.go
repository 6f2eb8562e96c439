package ntt

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// TestPassesAgainstDefinition runs a pass of every radix on data full of the
// field's edges, on slices that start at any word, and compares each output with
// the sum that defines it.
func TestPassesAgainstDefinition(t *testing.T) { inEveryForm(t, testPassesAgainstDefinition) }

func testPassesAgainstDefinition(t *testing.T) {
	r := newRand(10)
	var w workspace
	for logRadix := 1; logRadix <= logMaxRadix; logRadix++ {
		radix := 1 << logRadix
		root := goldilocks.RootOfUnity(logRadix)
		for _, c := range []struct {
			tiles, start        int
			prescaled, twiddled bool
			inverse, outOfPlace bool
		}{
			{1, 0, false, true, false, false},
			{2, 1, false, true, true, false},
			{3, 3, true, true, false, true},
			{1, 5, true, true, true, false},
			{1, 2, false, false, false, false},
			{2, 1, false, false, true, true},
		} {
			t.Run(fmt.Sprintf("radix=%d/%+v", radix, c), func(t *testing.T) {
				stride := c.tiles * tile
				source := randomColumn(r, c.start+radix*stride)[c.start:]
				before := slices.Clone(source)
				p := pass{
					logRadix: logRadix, tiles: c.tiles,
					src: source, dst: source,
					offsets: rowOffsets(logRadix, stride, c.inverse), stride: stride,
					scratch: &w.scratch,
				}
				if c.outOfPlace {
					p.dst = randomColumn(r, c.start+len(source))[c.start:]
				}
				prescale, twiddles := powers(1, 1, radix), powers(1, 1, radix*stride)
				if c.prescaled {
					prescale = randomColumn(r, radix+1)[1:]
					p.prescale = prescale
				}
				if c.twiddled {
					twiddles = randomColumn(r, radix*stride+1)[1:]
					p.twiddles = twiddles
				}
				p.run()
				for k := range radix {
					row := reverse(outputIndex(k, logRadix, c.inverse), logRadix)
					for j := range stride {
						want := element(0)
						for i := range radix {
							want = want.Add(before[i*stride+j].Mul(prescale[i]).Mul(root.Exp(uint64(i * k))))
						}
						want = want.Mul(twiddles[(j/tile*radix+k)*tile+j%tile])
						if got := p.dst[row*stride+j]; got != want {
							t.Fatalf("output %d of column %d is %#x, want %#x", k, j, uint64(got), uint64(want))
						}
					}
				}
				if c.outOfPlace && !slices.Equal(source, before) {
					t.Fatal("the pass changed its source")
				}
			})
		}
	}
}

// TestTransposes moves blocks from anywhere into a tile and back.
func TestTransposes(t *testing.T) {
	inEveryForm(t, func(t *testing.T) {
		r := newRand(11)
		const start = 3
		source := randomColumn(r, start+16*last)[start:]
		offsets := blockOffsets{5 * last, 0, 11*last + 1, 3 * last, 14 * last, 2*last + 7, 9 * last, 7 * last}
		var rows [last * tile]element
		transposeIn(&rows, source, &offsets)
		for i, offset := range offsets {
			for j := range last {
				if got, want := rows[j*tile+i], source[offset+j]; got != want {
					t.Fatalf("row %d, column %d is %d, want %d", j, i, got, want)
				}
			}
		}
		dst := randomColumn(r, start+tile*last+1)[start:]
		behind := dst[tile*last]
		transposeOut(dst, &rows)
		for i, offset := range offsets {
			if !slices.Equal(dst[i*last:(i+1)*last], source[offset:offset+last]) {
				t.Fatalf("block %d came back changed", i)
			}
		}
		if dst[tile*last] != behind {
			t.Fatal("transposeOut wrote behind the blocks")
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
