package soundnesstest

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// believed is what a verifier does with untrusted bytes: decode, take machine and parameters from the key, verify. It
// also tries the proof's own parameters, as the command line does.
func believed(data []byte, key *protocol.Key) error {
	var proof protocol.Proof
	if err := proof.UnmarshalBinary(data); err != nil {
		return err
	}
	if proof.Params != key.Params {
		own, err := setup.NewKey(key.Machine, proof.Params)
		if err != nil {
			return err
		}
		key = own
	}
	return verify.Proof(&proof, key)
}

// small proofs whose every byte is tried.
func smallProofs(t testing.TB) map[string]subject {
	small := map[string]subject{}
	for _, s := range subjects(t) {
		if s.name == "toy" || s.name == "fib" {
			small[s.name] = s
		}
	}
	return small
}

// changes are the changes of a byte: every bit of fib's proof is flipped, and one bit of the larger toy's, at varying
// positions. With -soundness.all every byte takes all other values.
func changes(name string, at int) []byte {
	var list []byte
	switch {
	case *all:
		for value := 1; value < 256; value++ {
			list = append(list, byte(value))
		}
	case name == "fib":
		for bit := range 8 {
			list = append(list, 1<<bit)
		}
	default:
		list = append(list, 1<<(at*5%8))
	}
	return list
}

// Every byte of a proof is absorbed, checked against a commitment, or canonical: with one bit flipped no proof is
// accepted.
func TestEveryFlippedBitIsRejected(t *testing.T) {
	longtest.Only(t)
	for name, s := range smallProofs(t) {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{key: s.key, execution: s.execution}.prove(t)
			encoded, err := proof.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if err := believed(encoded, key); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes", len(encoded))
			inParallel(len(encoded), func(from, to int) {
				data := append([]byte(nil), encoded...)
				for at := from; at < to; at++ {
					for _, change := range changes(name, at) {
						data[at] ^= change
						if believed(data, key) == nil {
							t.Errorf("byte %d (in %s) changed by %#02x: the proof is still believed", at, section(proof, at), change)
						}
						data[at] ^= change
					}
				}
			})
		})
	}
}

// section names the part of a proof that contains a byte.
func section(proof *protocol.Proof, at int) string {
	end := 0
	for _, section := range proof.Sections() {
		if end += section.Bytes; at < end {
			return fmt.Sprintf("%s, %d before its end", section.Name, end-at)
		}
	}
	return "nothing"
}

// inParallel calls body on pieces of [0, n).
func inParallel(n int, body func(from, to int)) {
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() { body(w*n/workers, (w+1)*n/workers) })
	}
	group.Wait()
}

// Every proper prefix of a proof, and a proof with trailing bytes, is refused.
func TestTruncationsAndExtensions(t *testing.T) {
	for name, s := range smallProofs(t) {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{key: s.key, execution: s.execution}.prove(t)
			encoded, err := proof.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			for n := range encoded {
				if believed(encoded[:n:n], key) == nil {
					t.Errorf("the first %d of %d bytes are believed", n, len(encoded))
				}
			}
			for _, more := range [][]byte{{0}, {255}, make([]byte, 8), make([]byte, 4096), encoded} {
				if believed(append(encoded[:len(encoded):len(encoded)], more...), key) == nil {
					t.Errorf("%d bytes after the proof are overlooked", len(more))
				}
			}
			// Inserted or removed bytes within a proof.
			for at := 0; at < len(encoded); at += 7 {
				without := append(append([]byte(nil), encoded[:at]...), encoded[at+1:]...)
				with := append(append(append([]byte(nil), encoded[:at]...), encoded[at]^1), encoded[at:]...)
				if believed(without, key) == nil || believed(with, key) == nil {
					t.Errorf("byte %d is missing, or one too many stands before it, and the proof is believed", at)
				}
			}
		})
	}
}

// The same statement gives the same bytes.
func TestProofsAreDeterministic(t *testing.T) {
	for name, s := range smallProofs(t) {
		first, _ := firstOf(lie{key: s.key, execution: s.execution}.prove(t)).MarshalBinary()
		second, _ := firstOf(lie{key: s.key, execution: s.execution}.prove(t)).MarshalBinary()
		if string(first) != string(second) {
			t.Errorf("%s: two proofs of the same statement differ", name)
		}
	}
}

// For any bytes, decoder and verifier return, and only the valid proof is accepted.
func FuzzVerify(f *testing.F) {
	key := newKey(f, toy())
	proof, _ := lie{key: key}.prove(f)
	encoded, err := proof.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encoded)
	f.Add([]byte{})
	f.Add(encoded[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		if believed(data, key) == nil && string(data) != string(encoded) {
			t.Error("another proof than the true one is believed")
		}
	})
}
