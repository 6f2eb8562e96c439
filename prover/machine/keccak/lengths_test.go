package keccak

import (
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// agrees requires that a message's execution claims golang.org/x/crypto's digest and length, and returns it.
func agrees(t *testing.T, p run.Program, message []byte) machine.Execution {
	t.Helper()
	w := executed(t, run.Input{Data: message, MinLogHeight: 3})
	hash := sha3.NewLegacyKeccak256()
	hash.Write(message)
	want := []circuit.Field{{Name: "digest", Value: hex.EncodeToString(hash.Sum(nil))},
		{Name: "length", Value: fmt.Sprint(len(message))}}
	if got := p.Describe(w.Public()); !slices.Equal(got, want) {
		t.Errorf("%d bytes %x...: %v, want %v", len(message), message[:min(len(message), 8)], got, want)
	}
	if err := p.Machine().CheckStated(w.Public()); err != nil {
		t.Error(err)
	}
	return w
}

// Every length from 0 to 500, of random bytes and of bytes that look like padding. Traces are checked in full where a
// block ends or begins, and at every length with -keccak.large.
func TestEveryLength(t *testing.T) {
	p := mustProgram(t)
	for length := 0; length <= 500; length++ {
		w := agrees(t, p, randomBytes(length))
		for _, filler := range []byte{0x00, 0x01, 0x80, 0x81, 0xff} {
			agrees(t, p, slices.Repeat([]byte{filler}, length))
		}
		if atEnd := (length + 2) % rateBytes; *large || atEnd < 4 {
			if err := p.Fillers().Check(parallel.New(0), w); err != nil {
				t.Errorf("%d bytes: %v", length, err)
			}
		}
	}
}

// Messages that differ in trailing bytes with padding's values have different statements.
func TestPaddingIsInjective(t *testing.T) {
	p := mustProgram(t)
	seen := map[[32]byte]string{}
	for _, stem := range []int{0, 1, 133, 134, 135, 136} {
		for _, tail := range []string{"", "\x00", "\x01", "\x80", "\x81", "\x01\x80", "\x01\x00\x80", "\x00\x00", "\x06"} {
			message := append(make([]byte, stem), tail...)
			w := agrees(t, p, message)
			statement := circuit.ExactStatement(p, w.Public(), circuits.Permutations(len(message)))
			if other, ok := seen[statement]; ok && other != string(message) {
				t.Errorf("%x and %x have one statement", other, message)
			}
			seen[statement] = string(message)
		}
	}
}

func FuzzDigest(f *testing.F) {
	for _, length := range []int{0, 1, 135, 136, 137, 271, 272} {
		f.Add(randomBytes(length))
	}
	p, err := Program()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, message []byte) { agrees(t, p, message) })
}
