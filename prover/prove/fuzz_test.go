package prove_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// FuzzVerify changes proofs in any way. Nothing may panic, a file that decodes must encode to the same bytes, and only
// the original proofs may verify.
func FuzzVerify(f *testing.F) {
	guest, _ := fibGuest(f)
	machines := map[string]*circuit.Machine{"fib": fibProgram(f).Machine(), "tour": tourProgram(f).Machine()}
	rv64im := map[merkle.Hash]*protocol.Key{} // other parameters would take a moment for each input
	for hash := range hashes {
		rv64im[hash] = newKey(f, guest.Fillers(), testParamsOf(f, hash))
	}
	var originals [][]byte
	for _, name := range []string{"fib", "tour", "tour-shards", "rv64im", "fib-3", "tour-3", "tour-shards-3", "rv64im-3"} {
		data, err := os.ReadFile(filepath.Join("../protocol/testdata", name+".proof"))
		if err != nil {
			f.Fatal(err)
		}
		originals = append(originals, data)
		f.Add(data)
		for _, cut := range []int{0, 12, 40, len(data) / 2, len(data) - 1} {
			f.Add(data[:cut])
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var (
			file interface {
				UnmarshalBinary([]byte) error
				MarshalBinary() ([]byte, error)
			}
			proof = new(protocol.Proof)
			set   protocol.Set
			check = verify.Proof
		)
		if file = proof; protocol.InShards(data) {
			file = &set
			check = func(_ *protocol.Proof, key *protocol.Key) error { return verify.Set(&set, key) }
		}
		if err := file.UnmarshalBinary(data); err != nil {
			return
		}
		if protocol.InShards(data) {
			proof = set.Shards[0]
		}
		if encoded, err := file.MarshalBinary(); err != nil || !bytes.Equal(encoded, data) {
			t.Fatal("a proof has two encodings", err)
		}
		key := rv64im[proof.Params.Hash]
		if m := machines[proof.MachineName]; m != nil {
			var err error
			if key, err = setup.NewKey(m, proof.Params); err != nil {
				return
			}
		}
		err := check(proof, key)
		if _, rejected := verify.RejectedBy(err); err != nil && !rejected {
			t.Fatalf("%v is no rejection", err)
		}
		if err != nil {
			return
		}
		for _, original := range originals {
			if bytes.Equal(original, data) {
				return
			}
		}
		t.Fatal("a forged proof verifies")
	})
}
