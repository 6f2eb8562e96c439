package blake3

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	reference "lukechampine.com/blake3"
	"lukechampine.com/blake3/guts"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x626c616b6533)) }

// referenceCompress is the compression by another library.
func referenceCompress(c *Chaining, block *Block, counter uint64, length, flags uint32) {
	*c = guts.ChainingValue(guts.Node{CV: *c, Block: *block, Counter: counter, BlockLen: length, Flags: flags})
}

// words fills to with edge cases and random words.
func words(r *rand.Rand, to []uint32) {
	for i := range to {
		to[i] = r.Uint32()
		if r.IntN(4) == 0 {
			to[i] = []uint32{0, 1, 1 << 31, 1<<32 - 1}[r.IntN(4)]
		}
	}
}

func elements(r *rand.Rand, n int) []goldilocks.Element {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, goldilocks.Modulus - 1}
	v := make([]goldilocks.Element, n)
	for i := range v {
		v[i] = goldilocks.Element(r.Uint64N(goldilocks.Modulus))
		if r.IntN(4) == 0 {
			v[i] = goldilocks.Element(edges[r.IntN(len(edges))])
		}
	}
	return v
}

func matrix(r *rand.Rand, width, rows int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, width)
	for c := range columns {
		columns[c] = elements(r, rows)
	}
	return columns
}

func TestCompress(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(1)
		for range 2000 {
			var c Chaining
			var block Block
			var end [2]uint32
			words(r, c[:])
			words(r, block[:])
			words(r, end[:])
			counter := r.Uint64()
			want, got := c, c
			referenceCompress(&want, &block, counter, end[0], end[1])
			Compress(&got, &block, counter, end[0], end[1])
			if got != want {
				t.Fatalf("compression of %x with %x, counter %d, length %d, flags %d: got %x, want %x", c, block, counter,
					end[0], end[1], got, want)
			}
		}
	})
}

// A row of at most 128 elements has the BLAKE3 digest of its bytes with zeros up to a whole block.
func TestShortRowsAreBLAKE3(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(2)
		for _, width := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 64, 100, 127, 128} {
			const rows = 150
			columns, got := matrix(r, width, rows), make([]Digest, rows)
			HashRows(got, columns, 0)
			for i := range got {
				row := make([]byte, 0, blockBytes)
				for _, column := range columns {
					row = binary.LittleEndian.AppendUint64(row, uint64(column[i]))
				}
				for len(row) == 0 || len(row)%blockBytes != 0 {
					row = append(row, 0)
				}
				if want := reference.Sum256(row); got[i] != want {
					t.Fatalf("%d columns, row %d: got %x, want %x", width, i, got[i], want)
				}
			}
		}
	})
}

// chain is the digest of a row as docs/spec defines it, by the other library's compression. Items of the extension
// have three words and a zero.
func chain(row []goldilocks.Element, counter uint64) Digest {
	for len(row) == 0 || len(row)%blockWords != 0 {
		row = append(row, 0)
	}
	c := IV
	for k := 0; k < len(row); k += blockWords {
		var block Block
		for w, e := range row[k : k+blockWords] {
			block[2*w], block[2*w+1] = uint32(e), uint32(uint64(e)>>32)
		}
		flags := uint32(0)
		if k == 0 {
			flags |= 1
		}
		if k+blockWords == len(row) {
			flags |= 2 + 8
		}
		referenceCompress(&c, &block, counter, 64, flags)
	}
	return c.Digest()
}

func TestHashRows(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(3)
		for _, width := range []int{0, 1, 3, 8, 12, 24, 33, 129, 150, 1000} {
			for _, rows := range []int{0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 40, 127, 128, 129, 300} {
				if width == 1000 && rows != 129 {
					continue // the reference is slow
				}
				first := r.IntN(10)
				columns := matrix(r, width, first+rows+r.IntN(3))
				const guard = 3
				got := make([]Digest, rows+guard)
				HashRows(got[:rows], columns, first)
				extension := make([]Digest, rows+guard)
				if width%3 == 0 {
					HashExtensionRows(extension[:rows], columns, first)
				}
				for i := range got {
					var row, items []goldilocks.Element
					var want, wantItems Digest
					if i < rows {
						for c, column := range columns {
							row, items = append(row, column[first+i]), append(items, column[first+i])
							if c%3 == 2 {
								items = append(items, 0)
							}
						}
						want = chain(row, 0)
						if width%3 == 0 {
							wantItems = chain(items, 1)
						}
					}
					if got[i] != want {
						t.Fatalf("%d columns, %d rows from %d: digest %d is %x, want %x", width, rows, first, i, got[i], want)
					}
					if extension[i] != wantItems {
						t.Fatalf("%d columns of coordinates, %d rows from %d: digest %d is %x, want %x", width, rows, first, i,
							extension[i], wantItems)
					}
				}
			}
		}
	})
}

func TestHashNodes(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(4)
		digests := func(n int) []Digest {
			list := make([]Digest, n)
			for i := range list {
				var c Chaining
				words(r, c[:])
				list[i] = c.Digest()
			}
			return list
		}
		for n := range 70 {
			for _, withExtra := range []bool{false, true} {
				children, extra := digests(2*n), []Digest(nil)
				if withExtra {
					extra = digests(n)
				}
				got := make([]Digest, n)
				HashNodes(got, children, extra)
				for i := range got {
					c, block := IV, joined(&children[2*i], &children[2*i+1])
					referenceCompress(&c, &block, 0, 64, 4)
					if withExtra {
						block = joined(&extra[i], new(Digest))
						referenceCompress(&c, &block, 0, 32, 4+8)
					}
					if want := c.Digest(); got[i] != want {
						t.Fatalf("%d nodes, extra %v: node %d is %x, want %x", n, withExtra, i, got[i], want)
					}
				}
			}
		}
	})
}

// Nonces carry from one word to the next.
func TestCompressNonces(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(5)
		for n := range 50 {
			var c Chaining
			var block Block
			words(r, c[:])
			words(r, block[:])
			first, counter := r.Uint64(), r.Uint64()
			switch n % 3 {
			case 1:
				first = 1<<32 - uint64(n/2)
			case 2:
				first = -uint64(n / 2)
			}
			nonces := make([]Chaining, n)
			CompressNonces(nonces, &c, &block, first, counter, 64, 11)
			for i := range n {
				want, changed := c, block
				changed[0], changed[1] = uint32(first+uint64(i)), uint32((first+uint64(i))>>32)
				referenceCompress(&want, &changed, counter, 64, 11)
				if nonces[i] != want {
					t.Fatalf("%d nonces from %d: number %d is %x, want %x", n, first, i, nonces[i], want)
				}
			}
		}
	})
}

func TestCompressions(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 8: 1, 9: 2, 16: 2, 17: 3} {
		if got := Compressions(n); got != want {
			t.Errorf("Compressions(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestShapesMustAgree(t *testing.T) {
	column := make([]goldilocks.Element, 4)
	for name, call := range map[string]func(){
		"a short column":       func() { HashRows(make([]Digest, 4), [][]goldilocks.Element{column}, 1) },
		"a negative row":       func() { HashRows(make([]Digest, 1), [][]goldilocks.Element{column}, -1) },
		"two coordinates":      func() { HashExtensionRows(make([]Digest, 1), [][]goldilocks.Element{column, column}, 0) },
		"an odd child":         func() { HashNodes(make([]Digest, 1), make([]Digest, 3), nil) },
		"too few extra leaves": func() { HashNodes(make([]Digest, 2), make([]Digest, 4), make([]Digest, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
