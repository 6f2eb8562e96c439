package kernels_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"lukechampine.com/blake3/guts"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// compress is another library's compression of a chaining value with up to eight 64-bit words.
func compress(cv [8]uint32, words []uint64, counter uint64, length, flags uint32) [8]uint32 {
	node := guts.Node{CV: cv, Counter: counter, BlockLen: length, Flags: flags}
	for i, word := range words {
		node.Block[2*i], node.Block[2*i+1] = uint32(word), uint32(word>>32)
	}
	return guts.ChainingValue(node)
}

func chainingWords(cv [8]uint32) (words []uint64) {
	for i := 0; i < len(cv); i += 2 {
		words = append(words, uint64(cv[i])|uint64(cv[i+1])<<32)
	}
	return words
}

// chainOf is the digest of a row in protocol 3: a chain of blocks of eight words. Elements of the extension take four
// words each, the last one zero.
func chainOf(row []uint64, extension bool) []uint64 {
	words, counter := row, uint64(0)
	if extension {
		words, counter = nil, 1
		for i := 0; i < len(row); i += 3 {
			words = append(append(words, row[i:i+3]...), 0)
		}
	}
	cv := guts.IV
	for at := 0; at < len(words); at += 8 {
		flags := uint32(0)
		if at == 0 {
			flags |= guts.FlagChunkStart
		}
		if at+8 >= len(words) {
			flags |= guts.FlagChunkEnd | guts.FlagRoot
		}
		cv = compress(cv, words[at:min(at+8, len(words))], counter, 64, flags)
	}
	return chainingWords(cv)
}

// compressed is a node in protocol 3.
func compressed(parts ...[]uint64) []uint64 {
	cv := compress(guts.IV, slices.Concat(parts[0], parts[1]), 0, 64, guts.FlagParent)
	if len(parts) == 3 {
		cv = compress(cv, parts[2], 0, 32, guts.FlagParent|guts.FlagRoot)
	}
	return chainingWords(cv)
}

func TestChainRows(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const height = 70
		for _, c := range []struct {
			widths    []int
			cuts      []int // after these numbers of runs
			extension bool
		}{
			{widths: []int{1}}, {widths: []int{8}}, {widths: []int{9}}, {widths: []int{3, 4, 1, 25}},
			{widths: []int{200}}, {[]int{8, 1}, []int{1}, false}, {[]int{5, 3, 16, 8}, []int{2, 3}, false},
			{[]int{3}, nil, true}, {[]int{3, 3}, nil, true}, {[]int{3, 3, 3}, nil, true}, {[]int{24}, nil, true},
			{[]int{3, 3, 6, 3}, []int{2, 3}, true},
		} {
			var segments []kernels.Segment
			rows := make([][]uint64, height)
			for i, width := range c.widths {
				matrix := testdevice.Elements(uint64(100*i+width), height*width)
				segments = append(segments, columns(d.Put("matrix", matrix), height, width).Segment())
				for row := range height {
					for column := range width {
						rows[row] = append(rows[row], matrix[column*height+row])
					}
				}
			}
			digests := d.Take("digests", 4*height)
			first := 0
			for _, cut := range append(slices.Clone(c.cuts), len(segments)) {
				must(t, set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Segments: segments[first:cut],
					Height: height, Extension: c.extension, Begun: first > 0, More: cut < len(segments)}))
				first = cut
			}
			got := d.Get(digests)
			for row := range height {
				if want := chainOf(rows[row], c.extension); !slices.Equal(digestAt(got, row), want) {
					t.Fatalf("%+v, row %d: %x, want %x", c, row, digestAt(got, row), want)
				}
			}
		}
	})
}

func TestCompressTree(t *testing.T) {
	testTrees(t, (*kernels.Set).CompressTree, compressed)
}

func TestChainRefusesWhatDoesNotFit(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	set := loadSet(d)
	b, digests := d.Take("b", 64), d.Take("digests", 32)
	run := func(width int) []kernels.Segment {
		return []kernels.Segment{columns(b, 4, width).Segment()}
	}
	staging, err := d.Context.NewStaging("nonce", 8)
	must(t, err)
	_, tooMany := set.GrindChain(d.Stream, digests.All(), staging, [32]byte{}, 1, 33)
	for what, err := range map[string]error{
		"no columns":      set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Height: 4}),
		"too few digests": set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Segments: run(1), Height: 9}),
		"no whole block": set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Segments: run(7), Height: 4,
			More: true}),
		"no whole elements": set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Segments: run(8), Height: 4,
			Extension: true}),
		"no whole block of elements": set.ChainRows(d.Stream, kernels.Chain{Digests: digests.All(), Segments: run(3),
			Height: 4, Extension: true, More: true}),
		"a short tree": set.CompressTree(d.Stream, kernels.Tree{Nodes: digests.All(), LogHeight: 3}, nil),
		"33 bits":      tooMany,
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	must(t, staging.Close())
}

func TestGrindChainFindsTheSmallestNonce(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		word := d.Take("nonce", 1)
		staging, err := d.Context.NewStaging("nonce", 8)
		must(t, err)
		for bits := 1; bits <= 9; bits += 2 {
			var state [32]byte
			state[0], state[31] = byte(bits), 0x80
			var cv [8]uint32
			for i := range cv {
				cv[i] = binary.LittleEndian.Uint32(state[4*i:])
			}
			const tag = 12
			want := uint64(0)
			for compress(cv, []uint64{want}, tag<<32, 32, 16+32)[0]%(1<<bits) != 0 {
				want++
			}
			got, err := set.GrindChain(d.Stream, word.All(), staging, state, tag, bits)
			if err != nil || got != want {
				t.Errorf("%d bits: %d, %v, want %d", bits, got, err, want)
			}
		}
		must(t, staging.Close())
	})
}
