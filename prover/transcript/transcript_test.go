package transcript

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// model is the transcript as docs/spec/protocol.md describes it, over another Keccak, with only the history as its
// state.
type model struct {
	state   []byte
	pending []byte
	stream  []uint64
	counter uint64
}

func hash(parts ...[]byte) []byte {
	h := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

func le(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

func (m *model) absorb(tag byte, message []byte) {
	m.pending = slices.Concat(m.pending, []byte{tag}, le(uint64(len(message))), message)
}

func (m *model) flush() {
	if m.pending != nil {
		m.state = hash([]byte{0}, m.state, m.pending)
		m.pending, m.stream, m.counter = nil, nil, 0
	}
}

func (m *model) word() uint64 {
	m.flush()
	if len(m.stream) == 0 {
		block := hash([]byte{1}, m.state, le(m.counter))
		for i := range 4 {
			m.stream = append(m.stream, binary.LittleEndian.Uint64(block[8*i:]))
		}
		m.counter++
	}
	w := m.stream[0]
	m.stream = m.stream[1:]
	return w
}

func (m *model) extension() (e goldilocks.Extension) {
	for i := range e {
		w := m.word()
		for w >= goldilocks.Modulus {
			w = m.word()
		}
		e[i] = goldilocks.Element(w)
	}
	return e
}

// Random conversations give the same challenges as the model.
func TestAgainstModel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		label := hex.EncodeToString(le(random.Uint64()))
		got, want := New(label), &model{state: hash([]byte(label))}
		for range 40 {
			switch random.IntN(5) {
			case 0, 1:
				message := make([]byte, random.IntN(300))
				for i := range message {
					message[i] = byte(random.Uint32())
				}
				tag := byte(random.Uint32())
				got.Absorb(tag, message)
				want.absorb(tag, message)
			case 2:
				if g, w := got.Extension(), want.extension(); g != w {
					t.Fatalf("challenge %v, want %v", g, w)
				}
			case 3:
				bits := random.IntN(65)
				w := want.word()
				if bits < 64 {
					w &= 1<<bits - 1
				}
				if g := got.Position(bits); g != w {
					t.Fatalf("position of %d bits %d, want %d", bits, g, w)
				}
			case 4:
				want.flush()
				if g, w := got.GrindingSeed(), hash([]byte{2}, want.state); !slices.Equal(g[:], w) {
					t.Fatalf("seed %x, want %x", g, w)
				}
			}
		}
	}
}

// Words that are not canonical are skipped, not reduced, at any position. Such words are rare, so the test supplies
// them, as the last sampled words.
func TestRejection(t *testing.T) {
	const largest uint64 = goldilocks.Modulus - 1
	for _, rare := range [][]uint64{
		{goldilocks.Modulus, 1<<64 - 1, largest, 5},
		{goldilocks.Modulus, largest, 5},
		{largest, goldilocks.Modulus, 5},
		{largest, 5, goldilocks.Modulus},
		{largest, 5},
	} {
		transcript := New("x")
		copy(transcript.words[len(transcript.words)-len(rare):], rare)
		transcript.unread = len(rare)
		next := New("x")
		want := goldilocks.Extension{goldilocks.Element(largest), 5, next.element()}
		if got := transcript.Extension(); got != want {
			t.Errorf("words %x: challenge %v, want %v", rare, got, want)
		}
	}
}

// Messages with the same bytes but other boundaries or tags are different messages.
func TestMessagesAreDelimited(t *testing.T) {
	seen := map[goldilocks.Extension]string{}
	for name, talk := range map[string]func(t *Transcript){
		"nothing":          func(*Transcript) {},
		"one empty":        func(t *Transcript) { t.Absorb(1, nil) },
		"two empty":        func(t *Transcript) { t.Absorb(1, nil); t.Absorb(1, nil) },
		"ab":               func(t *Transcript) { t.Absorb(1, []byte("ab")) },
		"a, b":             func(t *Transcript) { t.Absorb(1, []byte("a")); t.Absorb(1, []byte("b")) },
		"ab, other tag":    func(t *Transcript) { t.Absorb(2, []byte("ab")) },
		"a, challenge, b":  func(t *Transcript) { t.Absorb(1, []byte("a")); t.Extension(); t.Absorb(1, []byte("b")) },
		"ab and a zero":    func(t *Transcript) { t.Absorb(1, []byte("ab\x00")) },
		"ab after a seed":  func(t *Transcript) { t.GrindingSeed(); t.Absorb(1, []byte("abc")) },
		"challenge before": func(t *Transcript) { t.Extension() },
	} {
		transcript := New("label")
		talk(transcript)
		challenge := transcript.Extension()
		if other, ok := seen[challenge]; ok {
			t.Errorf("%q and %q give the same challenge", name, other)
		}
		seen[challenge] = name
	}
}

func TestNonces(t *testing.T) {
	seed := [32]byte{1, 2, 3}
	for _, bits := range []int{1, 2, 5, 8, 11} {
		search := NewNonceSearch(seed, bits)
		var want []uint64
		for nonce := range uint64(5000) {
			digest := hash(seed[:], le(nonce))
			passes := binary.LittleEndian.Uint64(digest)>>(64-bits) == 0
			if passes {
				want = append(want, nonce)
			}
			if got := NoncePasses(seed, nonce, bits); got != passes {
				t.Fatalf("%d bits: nonce %d passes: %v, want %v", bits, nonce, got, passes)
			}
		}
		var got []uint64
		for first := uint64(0); first < 5000; {
			nonce, ok := search.In(first, int(5000-first))
			if !ok {
				break
			}
			got = append(got, nonce)
			first = nonce + 1
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bits: nonces %v, want %v", bits, got, want)
		}
	}
}

func BenchmarkNonces(b *testing.B) {
	search := NewNonceSearch([32]byte{1}, 63)
	const count = 1 << 14
	for b.Loop() {
		search.In(0, count)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/hash")
}

// Stream returns the state from which the next words are sampled, and the number of its used words.
func TestStream(t *testing.T) {
	got, want := New("stream"), &model{state: hash([]byte("stream"))}
	for message := range 3 {
		got.Absorb(1, le(uint64(message)))
		want.absorb(1, le(uint64(message)))
		want.flush()
		for _, count := range []int{0, 1, 0, 70, wordsPerBlock * firstBlocks, 1} {
			_, before := got.Stream()
			for range count {
				if g, w := got.Position(64), want.word(); g != w {
					t.Fatalf("word %d of message %d is %d, want %d", before, message, g, w)
				}
			}
			if state, drawn := got.Stream(); !bytes.Equal(state[:], want.state) || drawn != before+uint64(count) {
				t.Errorf("message %d: state %x, %d words drawn; want %x and %d", message, state, drawn, want.state,
					before+uint64(count))
			}
		}
	}
}
