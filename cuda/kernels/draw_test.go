package kernels_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// streamed returns the first words of a state's stream, by another library.
func streamed(state [32]byte, count int) (words []uint64) {
	for block := uint64(0); len(words) < count; block++ {
		hash := sha3.NewLegacyKeccak256()
		hash.Write([]byte{1})
		hash.Write(state[:])
		hash.Write(binary.LittleEndian.AppendUint64(nil, block))
		for digest := hash.Sum(nil); len(digest) > 0; digest = digest[8:] {
			words = append(words, binary.LittleEndian.Uint64(digest))
		}
	}
	return words[:count]
}

// chained returns the first words that protocol 3's transcript draws from a state, by another library: three per draw.
func chained(state [32]byte, count int) (words []uint64) {
	var cv [8]uint32
	for i := range cv {
		cv[i] = binary.LittleEndian.Uint32(state[4*i:])
	}
	for draw := uint64(0); len(words) < count; draw++ {
		words = append(words, chainingWords(compress(cv, make([]uint64, 8), draw|255<<32, 0, 64))[:3]...)
	}
	return words
}

// Elements are stored at their indices, and nothing else is written, for any number of blocks.
func TestDraw(t *testing.T) {
	t.Run("keccak", func(t *testing.T) { testDraw(t, streamed, (*kernels.Set).Draw) })
	t.Run("blake3", func(t *testing.T) { testDraw(t, chained, (*kernels.Set).DrawBlake3) })
}

func testDraw(t *testing.T, stream func(state [32]byte, count int) []uint64,
	draw func(s *kernels.Set, stream *cuda.Stream, to, places cuda.Span, state [32]byte, elements uint64) error) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, count := range []int{1, 4, 5, 90, 1500} {
			var state [32]byte
			for i := range state {
				state[i] = byte(0xf1 * (i + count))
			}
			words := stream(state, 3*count)
			want, places := make([]uint64, 5*count+3), make([]uint32, count+count%2)
			for i := range want {
				want[i] = uint64(i)
			}
			to := d.Put("to", want)
			for i := range count {
				places[i] = uint32(5*(i*7%count) + i%3)
				if count%7 == 0 {
					t.Fatal("places would coincide")
				}
				copy(want[places[i]:], words[3*i:3*i+3])
			}
			var pairs []uint64
			for pair := range slices.Chunk(places, 2) {
				pairs = append(pairs, uint64(pair[0])|uint64(pair[1])<<32)
			}
			must(t, draw(set, d.Stream, to.All(), d.Put("places", pairs).All(), state, uint64(count)))
			compare(t, "drawn elements", d.Get(to), want)
		}
		b := d.Put("b", make([]uint64, 4))
		for elements, what := range map[uint64]string{0: "none", 9: "more than places"} {
			if err := draw(set, d.Stream, b.All(), b.All(), [32]byte{}, elements); err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}

// The device's transcript over three layers equals another library's: caps of one digest, of two and of sixteen.
func TestDrawLayer(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		const tag, first, last, draw = 0x0a, 16, 32, 64
		set := loadSet(d)
		state := [32]byte{1, 2, 3, 31: 0xf4}
		var cv [8]uint32
		for i := range cv {
			cv[i] = binary.LittleEndian.Uint32(state[4*i:])
		}
		var before *kernels.LayerRecord
		for _, logCap := range []int{4, 0, 1} {
			nodes := testdevice.Elements(uint64(20+logCap), 4*(2<<logCap))
			digests := nodes[4<<logCap:]
			for block, message := range slices.Collect(slices.Chunk(digests, 8)) {
				length, flags := uint32(8*len(message)), uint32(0)
				if block == 0 {
					flags |= first
				}
				if 8*(block+1) >= len(digests) {
					flags |= last
				}
				cv = compress(cv, append(slices.Clone(message), make([]uint64, 8-len(message))...), uint64(block)|tag<<32,
					length, flags)
			}
			want := append(chainingWords(cv), chainingWords(compress(cv, make([]uint64, 8), 255<<32, 0, draw))[:3]...)
			want = append(append(want, 0), digests...)

			memory := d.Take("record", len(want))
			record := kernels.NewLayerRecord(memory.All())
			tree := kernels.Tree{Nodes: d.Put("nodes", nodes).All(), LogHeight: logCap, LogCap: logCap}
			must(t, set.DrawLayer(d.Stream, record, before, state, tree, tag))
			compare(t, "record", d.Get(memory), want)
			challenge, read := kernels.ReadLayerRecord(want)
			if !slices.Equal(challenge[:], want[4:7]) || !slices.Equal(read, digests) {
				t.Errorf("the record reads as %d and %d digest words", challenge, len(read))
			}
			before = &record
			short := kernels.NewLayerRecord(d.Take("short", len(want)-1).All())
			if err := set.DrawLayer(d.Stream, short, nil, state, tree, tag); err == nil {
				t.Error("a record too short for the cap is no error")
			}
		}
	})
}
