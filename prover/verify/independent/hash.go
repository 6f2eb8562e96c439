package independent

import (
	"encoding/binary"
	"fmt"
	"hash"

	"golang.org/x/crypto/sha3"
)

// Digest is a hash of 32 bytes.
type Digest [32]byte

func keccak(parts ...[]byte) (d Digest) {
	h := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		h.Write(part)
	}
	h.Sum(d[:0])
	return d
}

func le64(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// transcript is the transcript of section 3. Pending messages are hashed when they are absorbed.
type transcript struct {
	state   Digest
	pending hash.Hash // nil: none
	counter uint64
	words   []uint64
	log     func(string) // receives events, for comparison with the vectors; may be nil
}

func newTranscript(label string, log func(string)) *transcript {
	return &transcript{state: keccak([]byte(label)), log: log}
}

func (t *transcript) note(what string, values ...any) {
	if t.log != nil {
		t.log(fmt.Sprint(append([]any{what}, values...)...))
	}
}

// absorb appends one message, given in several parts.
func (t *transcript) absorb(tag byte, message ...[]byte) {
	if t.pending == nil {
		t.pending = sha3.NewLegacyKeccak256()
		t.pending.Write([]byte{0})
		t.pending.Write(t.state[:])
	}
	length := 0
	for _, part := range message {
		length += len(part)
	}
	t.pending.Write([]byte{tag})
	t.pending.Write(le64(uint64(length)))
	for _, part := range message {
		t.pending.Write(part)
	}
	if t.log != nil {
		t.note("message", tag, length, keccak(message...))
	}
}

func (t *transcript) flush() {
	if t.pending != nil {
		t.pending.Sum(t.state[:0])
		t.pending, t.counter, t.words = nil, 0, nil
	}
}

func (t *transcript) word() uint64 {
	t.flush()
	if len(t.words) == 0 {
		block := keccak([]byte{1}, t.state[:], le64(t.counter))
		t.counter++
		for i := range 4 {
			t.words = append(t.words, binary.LittleEndian.Uint64(block[8*i:]))
		}
	}
	word := t.words[0]
	t.words = t.words[1:]
	return word
}

func (t *transcript) extension() (e ext) {
	for i := range e {
		for e[i] = t.word(); e[i] >= p; {
			e[i] = t.word()
		}
	}
	t.note("extension", e)
	return e
}

func (t *transcript) extensions(n int) []ext {
	drawn := make([]ext, n)
	for i := range drawn {
		drawn[i] = t.extension()
	}
	return drawn
}

func (t *transcript) position(bits int) uint64 {
	position := t.word() & (1<<bits - 1)
	t.note("position", position)
	return position
}

func (t *transcript) seed() Digest {
	t.flush()
	seed := keccak([]byte{2}, t.state[:])
	t.note("seed", seed)
	return seed
}

// branch returns K of section 13.
func (t *transcript) branch() Digest {
	t.flush()
	k := keccak([]byte{3}, t.state[:])
	t.note("branch", k)
	return k
}
