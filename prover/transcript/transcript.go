package transcript

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// The first byte of each kind of hash keeps them apart.
const (
	domainState  = 0x00
	domainBlock  = 0x01
	domainSeed   = 0x02
	domainBranch = 0x03
)

// Blocks are drawn many at a time, in the lanes of the vector registers: a proof draws a challenge for each of its
// openings, one after the other. Where few are drawn, as nearly always, the first ones do.
const (
	wordsPerBlock = 4
	firstBlocks   = 8
	drawnBlocks   = 64
)

// Transcript is the Fiat-Shamir state of one proof.
type Transcript struct {
	state   [32]byte
	pending keccak.Hash // of the state with the messages since the last challenge
	mixed   bool        // there are none

	counter uint64 // blocks drawn from state
	words   [drawnBlocks * wordsPerBlock]uint64
	unread  int // of the words drawn
}

// New starts a transcript for the protocol named by the label.
func New(label string) *Transcript {
	return &Transcript{state: keccak.Sum256([]byte(label)), mixed: true}
}

// Absorb appends a message. The tag says what the message is.
func (t *Transcript) Absorb(tag byte, message []byte) {
	if t.mixed {
		t.pending, t.mixed = keccak.Hash{}, false
		t.pending.Write([]byte{domainState})
		t.pending.Write(t.state[:])
	}
	t.pending.Write(binary.LittleEndian.AppendUint64([]byte{tag}, uint64(len(message))))
	t.pending.Write(message)
}

// Extension draws a uniform element of the cubic extension, lowest coordinate
// first.
func (t *Transcript) Extension() goldilocks.Extension {
	var e goldilocks.Extension
	if t.mixed && t.unread >= len(e) {
		// Nearly always. A device waits for thousands of them.
		words := (*[len(e)]uint64)(t.words[len(t.words)-t.unread:])
		if max(words[0], words[1], words[2]) < goldilocks.Modulus {
			t.unread -= len(e)
			return goldilocks.Extension{goldilocks.Element(words[0]), goldilocks.Element(words[1]), goldilocks.Element(words[2])}
		}
	}
	for i := range e {
		e[i] = t.element()
	}
	return e
}

// Stream binds everything absorbed so far and returns the state from which the words of all further draws come, block
// by block, and how many of these have been drawn already.
func (t *Transcript) Stream() (state [32]byte, drawn uint64) {
	t.mix()
	return t.state, wordsPerBlock*t.counter - uint64(t.unread)
}

// Position draws a uniform position in [0, 2^bits), bits at most 64.
func (t *Transcript) Position(bits int) uint64 {
	return t.word() & (1<<bits - 1)
}

// GrindingSeed binds everything absorbed so far and returns the seed that a
// nonce has to match. The nonce is to be absorbed afterwards.
func (t *Transcript) GrindingSeed() [32]byte { return t.derive(domainSeed) }

// Branch binds everything absorbed so far and returns what transcripts that go on from here, each its own way, absorb
// first.
func (t *Transcript) Branch() [32]byte { return t.derive(domainBranch) }

func (t *Transcript) derive(domain byte) [32]byte {
	t.mix()
	var input [33]byte
	input[0] = domain
	copy(input[1:], t.state[:])
	return keccak.Sum256(input[:])
}

// element draws words until one is canonical: of all 2^64 only 2^32-1 are not.
func (t *Transcript) element() goldilocks.Element {
	for {
		if e, ok := goldilocks.FromCanonical(t.word()); ok {
			return e
		}
	}
}

func (t *Transcript) word() uint64 {
	if !t.mixed || t.unread == 0 {
		t.mix()
		t.refill()
	}
	word := t.words[len(t.words)-t.unread]
	t.unread--
	return word
}

// mix hashes pending messages into the state and drops unread words, which
// were drawn from the old one.
func (t *Transcript) mix() {
	if t.mixed {
		return
	}
	t.state, t.mixed = t.pending.Sum(), true
	t.counter, t.unread = 0, 0
}

func (t *Transcript) refill() {
	count := drawnBlocks
	if t.counter == 0 {
		count = firstBlocks
	}
	var prefix [1 + len(t.state)]byte
	prefix[0] = domainBlock
	copy(prefix[1:], t.state[:])
	var digests [drawnBlocks]keccak.Digest
	keccak.SumCounted(digests[:count], prefix[:], t.counter)
	t.counter += uint64(count)
	t.unread = wordsPerBlock * count
	words := t.words[len(t.words)-t.unread:]
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(digests[i/wordsPerBlock][i%wordsPerBlock*8:])
	}
}
