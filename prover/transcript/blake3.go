package transcript

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/blake3"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The flags of compressions separate messages, draws and lists from each other, and from rows and nodes of trees.
const (
	flagMessageFirst = 1 << 4
	flagMessageLast  = 1 << 5
	flagDraw         = 1 << 6
	flagList         = 1 << 7
	flagListFirst    = 1 << 0
	flagListLast     = 1 << 1
)

const (
	MaxGrindBits     = 32  // bits of a word of the state
	drawTag          = 255 // in the counter of a draw, where a message has its tag
	PositionsPerDraw = 8
	MaxPositionBits  = 28 // of the 32 bits of a word
	ItemBytes        = 32 // half a block: a digest, or an extension element and a zero
	itemsPerBlock    = 2
	wordsPerItem     = ItemBytes / 4
)

// ErrRefused reports a sampled coordinate that is not below the modulus, which happens with probability 2^-32. Protocol
// 3 rejects such a proof, because a circuit that verifies it cannot sample again. The prover changes the salt.
var ErrRefused = errors.New("transcript: a challenge is not below the modulus: prove again with another salt")

// Blake3 is the Fiat-Shamir state of a proof of protocol 3: a chaining value of BLAKE3's compression. Messages are
// absorbed block by block. A draw compresses a block of zeros and does not change the state.
type Blake3 struct {
	state blake3.Chaining
	draws uint64 // since the last message
}

// NewBlake3 starts a transcript.
func NewBlake3() *Blake3 { return &Blake3{state: blake3.IV} }

// Blake3At continues a transcript from a state that [Blake3.State] returned.
func Blake3At(state blake3.Digest) *Blake3 { return &Blake3{state: blake3.ChainingOf(&state)} }

// State returns the state after the last message. It determines everything that follows.
func (t *Blake3) State() blake3.Digest { return t.state.Digest() }

// Draws returns the number of draws since the last message.
func (t *Blake3) Draws() uint64 { return t.draws }

// Item is the 32-byte unit of messages and lists.
type Item [wordsPerItem]uint32

// DigestItem returns the item of a digest.
func DigestItem(digest blake3.Digest) (item Item) {
	return Item(blake3.ChainingOf(&digest))
}

// NumberItem returns the item of a number below the modulus, as an extension element.
func NumberItem(number uint64) Item { return Item{uint32(number), uint32(number >> 32)} }

// Absorb appends a message of at least one item. The tag, below 255, is the kind of the message.
func (t *Blake3) Absorb(tag byte, items ...Item) {
	if tag == drawTag || len(items) == 0 {
		panic("transcript: a message has a tag below 255 and at least one item")
	}
	chain(&t.state, uint64(tag), items, 0, flagMessageFirst, flagMessageLast)
	t.draws = 0
}

// chain absorbs items into a chaining value, two per block. All blocks have the flags every; the first block also has
// the flag first, the last block the flag last.
func chain(state *blake3.Chaining, tag uint64, items []Item, every, first, last uint32) {
	blocks := (len(items) + itemsPerBlock - 1) / itemsPerBlock
	for i := range blocks {
		var block blake3.Block
		length := uint32(0)
		for k, item := range items[itemsPerBlock*i : min(itemsPerBlock*(i+1), len(items))] {
			copy(block[k*wordsPerItem:], item[:])
			length += ItemBytes
		}
		flags := every
		if i == 0 {
			flags |= first
		}
		if i == blocks-1 {
			flags |= last
		}
		blake3.Compress(state, &block, uint64(i)|tag<<32, length, flags)
	}
}

// draw returns the next eight words.
func (t *Blake3) draw() blake3.Chaining {
	words := t.state
	blake3.Compress(&words, new(blake3.Block), t.draws|drawTag<<32, 0, flagDraw)
	t.draws++
	return words
}

// Extension samples an extension element. It returns [ErrRefused] if a coordinate is not below the modulus.
func (t *Blake3) Extension() (e goldilocks.Extension, err error) {
	words := t.draw()
	return extensionOf(&words)
}

func extensionOf(words *blake3.Chaining) (e goldilocks.Extension, err error) {
	for i := range e {
		coordinate, ok := goldilocks.FromCanonical(uint64(words[2*i]) | uint64(words[2*i+1])<<32)
		if !ok {
			return goldilocks.Extension{}, ErrRefused
		}
		e[i] = coordinate
	}
	return e, nil
}

// Digest samples the value that the shards of a run absorb first.
func (t *Blake3) Digest() blake3.Digest {
	words := t.draw()
	return words.Digest()
}

// Positions samples uniform positions in [0, 2^bits), eight per draw. bits is at most 28.
func (t *Blake3) Positions(bits, count int) []uint64 {
	if bits < 0 || bits > MaxPositionBits {
		panic("transcript: positions have 0 to 28 bits")
	}
	positions := make([]uint64, 0, count)
	for len(positions) < count {
		words := t.draw()
		for _, word := range words[:min(PositionsPerDraw, count-len(positions))] {
			positions = append(positions, uint64(word)&(1<<bits-1))
		}
	}
	return positions
}

// Grind absorbs a nonce with its tag and reports whether it passes: it must be below the modulus, and the first word of
// the new state, of 32 bits, must end in the given number of zero bits.
func (t *Blake3) Grind(tag byte, nonce uint64, bits int) bool {
	t.Absorb(tag, NumberItem(nonce))
	return nonce < goldilocks.Modulus && t.state[0]&uint32(1<<bits-1) == 0
}

// FindNonce returns the smallest passing nonce in the range of count nonces from first on, without absorbing it.
func (t *Blake3) FindNonce(tag byte, bits int, first uint64, count int) (nonce uint64, ok bool) {
	var states [nonceBlock]blake3.Chaining
	for done := 0; done < count; done += nonceBlock {
		some := states[:min(nonceBlock, count-done)]
		start := first + uint64(done)
		blake3.CompressNonces(some, &t.state, new(blake3.Block), start, uint64(tag)<<32, ItemBytes,
			flagMessageFirst|flagMessageLast)
		for i := range some {
			if some[i][0]&uint32(1<<bits-1) == 0 {
				return start + uint64(i), true
			}
		}
	}
	return 0, false
}

// List returns the digest of a list of at least one item. kind is below 255. Keys, program IDs and statements are
// digests of lists.
func List(kind byte, items ...Item) blake3.Digest {
	if len(items) == 0 {
		panic("transcript: a list has at least one item")
	}
	state := blake3.IV
	chain(&state, uint64(kind), items, flagList, flagListFirst, flagListLast)
	return state.Digest()
}

// Bytes returns the items of a byte string, padded with zeros. The strings that protocol 3 hashes are self-delimiting,
// so padding causes no collision.
func Bytes(text []byte) []Item {
	items := make([]Item, 0, len(text)/ItemBytes+1)
	for len(text) > 0 {
		var padded blake3.Digest
		text = text[copy(padded[:], text):]
		items = append(items, DigestItem(padded))
	}
	return items
}
