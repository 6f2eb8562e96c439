package stark_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// FuzzVerify changes proofs in any way. Nothing may panic, what decodes must
// encode to the same bytes, and no proof but the original ones may verify.
func FuzzVerify(f *testing.F) {
	guest, _ := fibGuest(f)
	machines := map[string]*circuit.Machine{"fib": fibProgram(f).Machine(), "tour": tourProgram(f).Machine()}
	rv64im := newKey(f, guest.Fillers(), testParams(f)) // of other parameters it would take a moment for each input
	var originals [][]byte
	for _, name := range []string{"fib", "tour", "tour-shards", "rv64im"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".proof"))
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
			proof  = new(stark.Proof)
			set    stark.Set
			verify = stark.Verify
		)
		if file = proof; stark.InShards(data) {
			file = &set
			verify = func(_ *stark.Proof, key *stark.Key) error { return stark.VerifySet(&set, key) }
		}
		if err := file.UnmarshalBinary(data); err != nil {
			return
		}
		if stark.InShards(data) {
			proof = set.Shards[0]
		}
		if encoded, err := file.MarshalBinary(); err != nil || !bytes.Equal(encoded, data) {
			t.Fatal("a proof has two encodings", err)
		}
		key := rv64im
		if m := machines[proof.MachineName]; m != nil {
			var err error
			if key, err = stark.NewKey(m, proof.Params); err != nil {
				return
			}
		}
		err := verify(proof, key)
		if _, rejected := stark.RejectedBy(err); err != nil && !rejected {
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
