package transcript

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// The first byte of a hash's input is the kind of the hash.
const (
	domainState  = 0x00
	domainBlock  = 0x01
	domainSeed   = 0x02
	domainBranch = 0x03
)

// Blocks are computed in batches, in the lanes of vector registers: a proof samples a challenge for each of its
// openings. Most states need only the first few blocks, which form a smaller batch.
const (
	wordsPerBlock = 4
	firstBlocks   = 8
	drawnBlocks   = 64
)

// Transcript is the Fiat-Shamir state of one proof.
type Transcript struct {
	state   [32]byte
	pending keccak.Hash // hash of the state and the messages since the last challenge
	mixed   bool        // no messages are pending

	counter uint64 // blocks computed from state
	words   [drawnBlocks * wordsPerBlock]uint64
	unread  int // of the words computed
}

// New starts a transcript for the protocol named by label.
func New(label string) *Transcript {
	return &Transcript{state: keccak.Sum256([]byte(label)), mixed: true}
}

// Absorb appends a message. The tag is the kind of the message.
func (t *Transcript) Absorb(tag byte, message []byte) {
	if t.mixed {
		t.pending, t.mixed = keccak.Hash{}, false
		t.pending.Write([]byte{domainState})
		t.pending.Write(t.state[:])
	}
	t.pending.Write(binary.LittleEndian.AppendUint64([]byte{tag}, uint64(len(message))))
	t.pending.Write(message)
}

// Extension samples a uniform element of the cubic extension, lowest coordinate first.
func (t *Transcript) Extension() goldilocks.Extension {
	var e goldilocks.Extension
	if t.mixed && t.unread >= len(e) {
		// The usual case. A device waits for thousands of these.
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

// Refused returns nil: this transcript skips words that are not elements.
func (t *Transcript) Refused() error { return nil }

// Stream binds everything absorbed so far. It returns the state that determines all further words, block by block, and
// the number of words already consumed.
func (t *Transcript) Stream() (state [32]byte, drawn uint64) {
	t.mix()
	return t.state, wordsPerBlock*t.counter - uint64(t.unread)
}

// Position samples a uniform position in [0, 2^bits), bits at most 64.
func (t *Transcript) Position(bits int) uint64 {
	return t.word() & (1<<bits - 1)
}

// GrindingSeed binds everything absorbed so far and returns the seed for the nonce. The nonce must be absorbed
// afterwards.
func (t *Transcript) GrindingSeed() [32]byte { return t.derive(domainSeed) }

// Branch binds everything absorbed so far and returns a value for independent transcripts that continue from here, each
// of which absorbs it first.
func (t *Transcript) Branch() [32]byte { return t.derive(domainBranch) }

func (t *Transcript) derive(domain byte) [32]byte {
	t.mix()
	var input [33]byte
	input[0] = domain
	copy(input[1:], t.state[:])
	return keccak.Sum256(input[:])
}

// element reads words until one is canonical: only 2^32-1 of the 2^64 words are not.
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

// mix hashes pending messages into the state and discards unread words of the old state.
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
