package transcript

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"lukechampine.com/blake3/guts"

	"github.com/chiasmus/chiasmus/prover/blake3"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// blakeModel is protocol 3's transcript as its table of compressions defines it, with another library's compression.
type blakeModel struct {
	state [8]uint32
	draws uint64
}

func modelCompress(cv [8]uint32, bytes []byte, counter uint64, length, flags uint32) [8]uint32 {
	node := guts.Node{CV: cv, Counter: counter, BlockLen: length, Flags: flags}
	bytes = append(slices.Clone(bytes), make([]byte, 64-len(bytes))...)
	for i := range node.Block {
		node.Block[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return guts.ChainingValue(node)
}

func (m *blakeModel) message(tag byte, text []byte) {
	for i := 0; 64*i < len(text); i++ {
		block := text[64*i : min(64*i+64, len(text))]
		flags := uint32(0)
		if i == 0 {
			flags += 16
		}
		if 64*i+64 >= len(text) {
			flags += 32
		}
		m.state = modelCompress(m.state, block, uint64(i)+uint64(tag)<<32, uint32(len(block)), flags)
	}
	m.draws = 0
}

func (m *blakeModel) draw() (words [8]uint32) {
	words = modelCompress(m.state, nil, m.draws+255<<32, 0, 64)
	m.draws++
	return words
}

func extensionBytes(e goldilocks.Extension) (text []byte) {
	for _, c := range e {
		text = binary.LittleEndian.AppendUint64(text, uint64(c))
	}
	return append(text, make([]byte, 8)...)
}

func randomExtension(r *rand.Rand) (e goldilocks.Extension) {
	for i := range e {
		e[i] = goldilocks.Element(r.Uint64N(goldilocks.Modulus))
	}
	return e
}

func TestBlake3IsTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0x626c616b65))
	got, want := NewBlake3(), &blakeModel{state: guts.IV}
	for step := range 600 {
		switch r.IntN(5) {
		case 0: // digests
			var items []Item
			var text []byte
			for range 1 + r.IntN(5) {
				var d blake3.Digest
				for i := range d {
					d[i] = byte(r.Uint32())
				}
				items, text = append(items, DigestItem(d)), append(text, d[:]...)
			}
			tag := byte(r.IntN(255))
			got.Absorb(tag, items...)
			want.message(tag, text)
		case 1: // elements of the extension
			var items []Item
			var text []byte
			for range 1 + r.IntN(5) {
				e := randomExtension(r)
				items, text = append(items, extensionItem(e)), append(text, extensionBytes(e)...)
			}
			tag := byte(r.IntN(255))
			got.Absorb(tag, items...)
			want.message(tag, text)
		case 2:
			words := want.draw()
			var e goldilocks.Extension
			for i := range e {
				e[i] = goldilocks.Element(uint64(words[2*i]) + uint64(words[2*i+1])<<32)
			}
			if drawn, err := got.Extension(); err != nil || drawn != e {
				t.Fatalf("step %d: drew %v, %v, want %v", step, drawn, err, e)
			}
		case 3:
			bits, count := r.IntN(29), r.IntN(30)
			var positions []uint64
			for len(positions) < count {
				words := want.draw()
				for _, word := range words {
					positions = append(positions, uint64(word)%(1<<bits))
				}
			}
			if drawn := got.Positions(bits, count); !slices.Equal(drawn, positions[:count]) {
				t.Fatalf("step %d: drew %v, want %v", step, drawn, positions[:count])
			}
		case 4:
			words := want.draw()
			var digest blake3.Digest
			for i, word := range words {
				binary.LittleEndian.PutUint32(digest[4*i:], word)
			}
			if drawn := got.Digest(); drawn != digest {
				t.Fatalf("step %d: drew %x, want %x", step, drawn, digest)
			}
		}
	}
}

// A word that is not below the modulus is drawn once in 2^32 times, so the test supplies words.
func TestBlake3RefusesWords(t *testing.T) {
	for coordinate := range 3 {
		for _, c := range []struct {
			value   uint64
			refused bool
		}{{goldilocks.Modulus - 1, false}, {goldilocks.Modulus, true}, {1<<64 - 1, true}, {0, false}} {
			var words blake3.Chaining
			words[2*coordinate], words[2*coordinate+1] = uint32(c.value), uint32(c.value>>32)
			e, err := extensionOf(&words)
			if errors.Is(err, ErrRefused) != c.refused {
				t.Errorf("coordinate %d is %d: %v", coordinate, c.value, err)
			}
			if !c.refused && uint64(e[coordinate]) != c.value {
				t.Errorf("coordinate %d is %d, want %d", coordinate, uint64(e[coordinate]), c.value)
			}
		}
	}
}

func TestBlake3Nonces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0x626c616b65))
	searched := 0
	for range 12 {
		before := NewBlake3()
		before.Absorb(1, extensionItem(randomExtension(r)))
		const tag, bits, count = 12, 11, 4*nonceBlock + 300
		first := r.Uint64N(1 << 40)
		want, found := uint64(0), false
		for nonce := first; nonce < first+count && !found; nonce++ {
			model := &blakeModel{state: before.state}
			model.message(tag, extensionBytes(goldilocks.Extension{goldilocks.Element(nonce)}))
			if model.state[0]%(1<<bits) == 0 {
				want, found = nonce, true
			}
		}
		got, ok := before.FindNonce(tag, bits, first, count)
		if got != want || ok != found {
			t.Fatalf("nonce %d, %v, want %d, %v", got, ok, want, found)
		}
		if !found {
			continue
		}
		searched++
		if _, ok := before.FindNonce(tag, bits, first, int(want-first)); ok {
			t.Error("found a nonce that was not to be tried")
		}
		passing, failing := *before, *before
		if !passing.Grind(tag, want, bits) || failing.Grind(tag, want, 32) {
			t.Errorf("nonce %d: does not pass %d bits, or passes 32", want, bits)
		}
		beyond := *before
		if beyond.Grind(tag, goldilocks.Modulus+want%1000, 0) {
			t.Error("a nonce that is not below the modulus passes")
		}
	}
	if searched < 6 {
		t.Errorf("%d of 12 searches found a nonce", searched)
	}
}

func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0x626c616b65))
	for _, length := range []int{1, 31, 32, 33, 64, 65, 200} {
		text := make([]byte, length)
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		padded := append(slices.Clone(text), make([]byte, -length&31)...)
		const kind = 5
		cv := guts.IV
		for i := 0; 64*i < len(padded); i++ {
			block := padded[64*i : min(64*i+64, len(padded))]
			flags := uint32(128)
			if i == 0 {
				flags += 1
			}
			if 64*i+64 >= len(padded) {
				flags += 2
			}
			cv = modelCompress(cv, block, uint64(i)+kind<<32, uint32(len(block)), flags)
		}
		digest := List(kind, Bytes(text)...)
		for i, word := range cv {
			if binary.LittleEndian.Uint32(digest[4*i:]) != word {
				t.Fatalf("a list of %d bytes: %x, want %x", length, digest, cv)
			}
		}
		if List(kind+1, Bytes(text)...) == digest {
			t.Error("lists of two kinds have one digest")
		}
	}
}

// extensionItem returns the item of an extension element: its coordinates, lowest first, and a zero.
func extensionItem(e goldilocks.Extension) (item Item) {
	for i, coordinate := range e {
		item[2*i], item[2*i+1] = uint32(coordinate), uint32(coordinate>>32)
	}
	return item
}
