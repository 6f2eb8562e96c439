package kernels_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"golang.org/x/crypto/sha3"
)

// keccak is the reference: golang.org/x/crypto's Keccak-256 of words, as four words.
func keccak(parts ...[]uint64) []uint64 {
	hash := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		for _, word := range part {
			hash.Write(binary.LittleEndian.AppendUint64(nil, word))
		}
	}
	sum := hash.Sum(nil)
	digest := make([]uint64, 4)
	for i := range digest {
		digest[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	return digest
}

func digestAt(words []uint64, i int) []uint64 { return words[4*i : 4*i+4] }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestHashRows(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const height = 70
		for _, widths := range [][]int{{1}, {16}, {17}, {18}, {3, 14}, {5, 12, 17, 1}, {40}} {
			var segments []kernels.Segment
			var matrices [][]uint64
			for i, width := range widths {
				words := testdevice.Elements(uint64(100*i+width), height*width)
				matrices = append(matrices, words)
				segments = append(segments, columns(d.Put("matrix", words), height, width).Segment())
			}
			digests := d.Take("digests", 4*height)
			must(t, set.HashRows(d.Stream, digests.All(), segments, height))
			got := d.Get(digests)
			for row := range height {
				var words []uint64
				for i, width := range widths {
					for c := range width {
						words = append(words, matrices[i][c*height+row])
					}
				}
				if want := keccak(words); !slices.Equal(digestAt(got, row), want) {
					t.Fatalf("widths %v, row %d: %x, want %x", widths, row, digestAt(got, row), want)
				}
			}
		}
	})
}

// Rows that arrive in parts, split after some of the runs of columns, have the digests of whole rows.
func TestHashRowsInParts(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const height = 70
		for _, c := range []struct {
			widths []int
			cuts   []int // after these numbers of runs
		}{{[]int{17, 1}, []int{1}}, {[]int{17, 17}, []int{1}}, {[]int{5, 12, 34, 3, 14, 9}, []int{2, 3, 5}}} {
			var segments []kernels.Segment
			words := make([][]uint64, height)
			for i, width := range c.widths {
				matrix := testdevice.Elements(uint64(100*i+width), height*width)
				segments = append(segments, columns(d.Put("matrix", matrix), height, width).Segment())
				for row := range height {
					for column := range width {
						words[row] = append(words[row], matrix[column*height+row])
					}
				}
			}
			digests := d.Take("digests", 4*height)
			sponges := d.Take("sponges", int(kernels.SpongeBytes(height)/8))
			first := 0
			for _, cut := range c.cuts {
				must(t, set.AbsorbRows(d.Stream, sponges.All(), first > 0, segments[first:cut], height))
				first = cut
			}
			must(t, set.FinishRows(d.Stream, digests.All(), sponges.All(), segments[first:], height))
			got := d.Get(digests)
			for row := range height {
				if want := keccak(words[row]); !slices.Equal(digestAt(got, row), want) {
					t.Fatalf("widths %v cut at %v, row %d: %x, want %x", c.widths, c.cuts, row, digestAt(got, row), want)
				}
			}
		}
	})
}

func TestHashInterleavedRows(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const length = 64
		codeword := testdevice.Elements(9, 3*length)
		for logArity := 1; logArity <= 4; logArity++ {
			arity := 1 << logArity
			segments, err := columns(d.Put("codeword", codeword), length, 3).Interleaved(logArity)
			must(t, err)
			digests := d.Take("digests", 4*length/arity)
			must(t, set.HashRows(d.Stream, digests.All(), segments, uint64(length/arity)))
			got := d.Get(digests)
			for row := range length / arity {
				var words []uint64
				for j := range arity {
					for k := range 3 {
						words = append(words, codeword[k*length+row*arity+j])
					}
				}
				if want := keccak(words); !slices.Equal(digestAt(got, row), want) {
					t.Fatalf("arity %d, row %d: %x, want %x", arity, row, digestAt(got, row), want)
				}
			}
		}
	})
}

func TestHashTreeAndGather(t *testing.T) {
	testTrees(t, (*kernels.Set).HashTree, keccak)
}

// testTrees compares trees, made of leaves and of joining row digests, with their definition node by node.
func testTrees(t *testing.T, build func(*kernels.Set, *cuda.Stream, kernels.Tree, map[int]cuda.Span) error,
	hashNode func(parts ...[]uint64) []uint64) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, c := range []struct {
			log, logCap int
			joining     []int
		}{{0, 0, nil}, {1, 0, []int{0}}, {5, 2, []int{4, 2}}, {9, 0, nil}, {10, 0, []int{9, 8, 3, 0}}, {11, 4, []int{7}}} {
			tree := kernels.Tree{Nodes: d.Take("tree", 8<<c.log).All(), LogHeight: c.log, LogCap: c.logCap}
			want := make([][]uint64, 2<<c.log)
			leaves := testdevice.Elements(uint64(c.log), 4<<c.log)
			for i := range 1 << c.log {
				want[1<<c.log+i] = digestAt(leaves, i)
			}
			joins, joinWords := map[int]cuda.Span{}, map[int][]uint64{}
			for _, l := range c.joining {
				joinWords[l] = testdevice.Elements(uint64(50+l), 4<<l)
				joins[l] = d.Put("joining", joinWords[l]).All()
			}
			for l := c.log - 1; l >= c.logCap; l-- {
				for i := range 1 << l {
					parts := [][]uint64{want[2<<l+2*i], want[2<<l+2*i+1]}
					if words, ok := joinWords[l]; ok {
						parts = append(parts, digestAt(words, i))
					}
					want[1<<l+i] = hashNode(parts...)
				}
			}
			layer, err := tree.Layer(c.log)
			must(t, err)
			must(t, d.Stream.Copy(layer, d.Put("leaves", leaves).All()))
			must(t, build(set, d.Stream, tree, joins))
			var nodes []uint64
			for node := 1 << c.logCap; node < 2<<c.log; node++ {
				nodes = append(nodes, uint64(node))
			}
			got, _ := gather(t, d, set, []kernels.Gathering{{From: tree.Digests(), Rows: nodes}})
			for i, node := range nodes {
				if !slices.Equal(digestAt(got, i), want[node]) {
					t.Fatalf("tree of 2^%d, node %d: %x, want %x", c.log, node, digestAt(got, i), want[node])
				}
			}
		}
	})
}

func TestHashRefusesWhatDoesNotFit(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	set := loadSet(d)
	b, digests := d.Take("b", 64), d.Take("digests", 32)
	good := columns(b, 8, 8).Segment()
	long := make([]kernels.Segment, kernels.MaxSegments+1)
	for i := range long {
		long[i] = good
	}
	wide := good
	wide.Count = 9
	block := columns(d.Take("a block", 17*4), 4, 17).Segment()
	huge := good
	huge.Stride = math.MaxUint64
	for what, err := range map[string]error{
		"no columns":          set.HashRows(d.Stream, digests.All(), nil, 8),
		"too many runs":       set.HashRows(d.Stream, digests.All(), long, 8),
		"a column too many":   set.HashRows(d.Stream, digests.All(), []kernels.Segment{wide}, 8),
		"a row too many":      set.HashRows(d.Stream, digests.All(), []kernels.Segment{good}, 9),
		"a stride that wraps": set.HashRows(d.Stream, digests.All(), []kernels.Segment{huge}, 8),
		"too few digests":     set.HashRows(d.Stream, digests.All(), []kernels.Segment{columns(b, 9, 7).Segment()}, 9),
		"no whole block":      set.AbsorbRows(d.Stream, b.All(), false, []kernels.Segment{good}, 2),
		"too few sponges":     set.AbsorbRows(d.Stream, b.All(), false, []kernels.Segment{block}, 4),
		"too few to go on":    set.FinishRows(d.Stream, b.All(), b.All(), []kernels.Segment{good}, 4),
		"a short tree":        set.HashTree(d.Stream, kernels.Tree{Nodes: digests.All(), LogHeight: 3}, nil),
		"a cap above leaves":  set.HashTree(d.Stream, kernels.Tree{Nodes: b.All(), LogHeight: 2, LogCap: 3}, nil),
		"joining at leaves": set.HashTree(d.Stream, kernels.Tree{Nodes: b.All(), LogHeight: 2},
			map[int]cuda.Span{2: b.All()}),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestGrindFindsTheSmallestNonce(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		word := d.Take("nonce", 1)
		staging, err := d.Context.NewStaging("nonce", 8)
		must(t, err)
		for bits := 1; bits <= 9; bits += 2 {
			var seed [32]byte
			seed[0], seed[31] = byte(bits), 0x80
			words := make([]uint64, 4)
			for i := range words {
				words[i] = binary.LittleEndian.Uint64(seed[8*i:])
			}
			want := uint64(0)
			for keccak(words, []uint64{want})[0] >= 1<<(64-bits) {
				want++
			}
			got, err := set.Grind(d.Stream, word.All(), staging, seed, bits)
			if err != nil || got != want {
				t.Errorf("%d bits: %d, %v, want %d", bits, got, err, want)
			}
		}
		if _, err := set.Grind(d.Stream, word.All(), staging, [32]byte{}, 64); err == nil {
			t.Error("64 bits were ground")
		}
		must(t, staging.Close())
	})
}

func TestBatchInversion(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, n := range []int{1, 255, 2048, 5000} {
			words := testdevice.Elements(uint64(n), 3*n)
			zeros, zeroWords := 0, 0
			for i := range n {
				if words[i]|words[n+i]|words[2*n+i] == 0 {
					zeros++
				}
			}
			for _, w := range words[:n] {
				if w == 0 {
					zeroWords++
				}
			}
			in, out, count := d.Put("in", words), d.Take("out", 3*n), d.Put("zeros", []uint64{0})
			base, err := in.Span(0, uint64(8*n))
			must(t, err)
			first, err := out.Span(0, uint64(8*n))
			must(t, err)
			must(t, set.InvertBase(d.Stream, first, base, uint64(n), count.All()))
			inverted := d.Take("inverted", n)
			must(t, d.Stream.Copy(inverted.All(), first))
			for i, got := range d.Get(inverted) {
				product := new(big.Int).Mul(wide(got), wide(words[i]))
				if want := min(words[i], 1); reduced(product) != want {
					t.Fatalf("%d of %d: %d times %d is not one", i, n, words[i], got)
				}
			}
			must(t, set.InvertExtension(d.Stream, columns(out, n, 3), columns(in, n, 3), uint64(n), count.All()))
			got := d.Get(out)
			for i := range n {
				checkExtensionInverse(t, [3]uint64{words[i], words[n+i], words[2*n+i]}, [3]uint64{got[i], got[n+i], got[2*n+i]})
			}
			if c := d.Get(count)[0]; c != uint64(zeros+zeroWords) {
				t.Errorf("%d zeros counted, want %d", c, zeros+zeroWords)
			}
		}
	})
}

// checkExtensionInverse multiplies modulo w^3 - 2 in big integers.
func checkExtensionInverse(t *testing.T, a, b [3]uint64) {
	t.Helper()
	var product [3]*big.Int
	for i := range product {
		product[i] = new(big.Int)
	}
	for i := range 3 {
		for j := range 3 {
			term := new(big.Int).Mul(wide(a[i]), wide(b[j]))
			product[(i+j)%3].Add(product[(i+j)%3], term.Lsh(term, uint((i+j)/3)))
		}
	}
	got := fmt.Sprint(reduced(product[0]), reduced(product[1]), reduced(product[2]))
	want := "1 0 0"
	if a == [3]uint64{} {
		want = "0 0 0"
	}
	if got != want {
		t.Fatalf("%v times %v is %s, want %s", a, b, got, want)
	}
}
