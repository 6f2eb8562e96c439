package prover_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// renamed is a proof with another machine's name.
func renamed(t *testing.T, proof []byte, from, to string) []byte {
	t.Helper()
	counted := func(name string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(name))), name...)
	}
	if bytes.Count(proof, counted(from)) != 1 {
		t.Fatalf("the proof does not name machine %s once", from)
	}
	return bytes.Replace(proof, counted(from), counted(to), 1)
}

// Errors quote the machine's name that a proof gives, so the name can neither move the cursor nor pass for the
// verifier's own text.
func TestNamesAreQuoted(t *testing.T) {
	fib := lookup(t, "fib")
	whole := proveInput(t, newProver(t, fib, preset(t, "test"), prover.Options{}), fib, []byte("1 2 64"))
	set, byProgram, byID := toured(t, 2)
	anyProof := prover.VerifyOptions{MinBits: prover.AnyBits}
	ofFib := prover.VerifyOptions{MinBits: prover.AnyBits, Program: fib}
	onlyID := byID
	onlyID.Program = nil
	for _, name := range []string{
		"\x1b[2Jvalid", "a\nvalid: 128 proven bits", "\u009b2J", "\u202efib", "b\r", `f"ib`, "fob: valid",
	} {
		for at, tc := range []struct {
			data    []byte
			options prover.VerifyOptions
		}{
			{renamed(t, whole, "fib", name), anyProof},
			{renamed(t, whole, "fib", name), ofFib},
			{renamed(t, whole, "fib", name), onlyID},
			{renamed(t, set, "tour", name), anyProof},
			{renamed(t, set, "tour", name), byProgram},
			{renamed(t, set, "tour", name), byID},
			{renamed(t, set, "tour", name), onlyID},
		} {
			_, err := prover.Verify(t.Context(), tc.data, tc.options)
			var rejection *verify.RejectError
			if !errors.As(err, &rejection) {
				t.Fatalf("machine %q, case %d: %v", name, at, err)
			}
			said := err.Error()
			shown := strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) })
			if unquoted := strings.ReplaceAll(said, `\"`, ""); shown || strings.Contains(unquoted, " "+name) {
				t.Errorf("machine %q, case %d: %q", name, at, said)
			}
		}
	}
}
