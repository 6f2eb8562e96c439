package prove_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// proveBlake3 makes a proof of protocol 3.
func proveBlake3(t *testing.T) (*protocol.Key, *protocol.Proof) {
	t.Helper()
	program := fibProgram(t)
	key := newKey(t, program.Fillers(), testParamsOf(t, merkle.Blake3))
	execution := execute(t, program, run.Input{Data: []byte("1 1 64"), MinLogHeight: 5})
	proof, _, err := newProver(t, key, 0).Prove(t.Context(), execution, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return key, proof
}

// The fields that version 3 adds have one encoding, and limits.
func TestDecodingOfVersion3(t *testing.T) {
	_, proof := proveBlake3(t)
	file := encode(t, proof)
	refused := func(what, want string, data []byte) {
		t.Helper()
		if err := new(protocol.Proof).UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
	}
	hash := bytes.Clone(file)
	hash[20] = 0
	refused("Keccak-256", "version 3 with keccak", hash)
	for what, change := range map[string]func(p *protocol.Proof){
		"nonce": func(p *protocol.Proof) { p.Nonce = goldilocks.Modulus },
		"salt":  func(p *protocol.Proof) { p.Salt = goldilocks.Modulus },
	} {
		changed := *proof
		change(&changed)
		refused("a "+what+" that is no element", "not below p", encode(t, &changed))
	}
	bits := bytes.Clone(file)
	bits[15] = 33
	refused("grinding", "GrindingBits is 33, want 0 to 32", bits)
	version := bytes.Clone(file)
	binary.LittleEndian.PutUint32(version[8:], 2)
	refused("version 2", "proof, byte", version)
}

// A domain has at most 2^28 points, whose positions fit a word.
func TestDomainsOfVersion3(t *testing.T) {
	key, _ := proveBlake3(t)
	for logHeight, ok := range map[int]bool{27: true, 28: false} {
		if err := key.CheckInstances([]circuit.Instance{{LogHeight: logHeight}}); (err == nil) != ok {
			t.Errorf("2^%d rows at blowup 2: %v", logHeight, err)
		}
	}
}

// One key serves all parameters with BLAKE3, and another key those with Keccak-256. The same holds for a program's id,
// which depends on everything else in the program's key.
func TestKeysOfVersion3(t *testing.T) {
	guest, _ := fibGuest(t)
	var keys []*protocol.Key
	for _, name := range []string{"small-4", "small-8", "default"} {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		key, err := setup.NewKey(guest.Machine(), preset.Params)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if keys[0].Digest != keys[1].Digest || keys[0].Digest == keys[2].Digest {
		t.Error("the key is not one for all blowups, or that of protocol 2")
	}
	if keys[0].ProgramID() != keys[1].ProgramID() || keys[0].ProgramID() == keys[2].ProgramID() {
		t.Error("a program's id is not one for all blowups, or that of protocol 2")
	}
	for what, change := range map[string]func(p *protocol.ProgramKey){
		"entry":   func(p *protocol.ProgramKey) { p.Entry++ },
		"image":   func(p *protocol.ProgramKey) { p.Image[0]++ },
		"height":  func(p *protocol.ProgramKey) { p.LogHeights = []int{p.LogHeights[0], p.LogHeights[1] + 1} },
		"cap":     func(p *protocol.ProgramKey) { p.Cap = append(slices.Clone(p.Cap[1:]), merkle.Digest{}) },
		"sibling": func(p *protocol.ProgramKey) { p.Larger = []merkle.Digest{p.Larger[1], p.Larger[0]} },
	} {
		other := *keys[0]
		program := *keys[0].Program
		other.Program = &program
		change(&program)
		if other.ProgramID() == keys[0].ProgramID() {
			t.Errorf("a program's id does not have the %s in it", what)
		}
	}
	params := keys[0].Params
	params.CapHeight = protocol.KeyCapHeight - 1 // the proof's caps may have another height
	if list := params.KeyParams(); len(list) != protocol.MaxLogBlowup || slices.ContainsFunc(list,
		func(p protocol.Params) bool { return p.CapHeight != protocol.KeyCapHeight }) {
		t.Errorf("a key has caps of %v", list)
	}
}

// A program's cap with three nodes is not a layer of a tree.
func TestProgramCapOfVersion3(t *testing.T) {
	for nodes, want := range map[int]bool{1: true, 2: true, 3: false, 4: true, 6: false} {
		proof := &protocol.Proof{Params: protocol.Default(), Program: &protocol.ProgramKey{
			Cap: make([]merkle.Digest, nodes), Larger: make([]merkle.Digest, 3)}}
		proof.Params.Hash = merkle.Blake3
		data, err := proof.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		err = new(protocol.Proof).UnmarshalBinary(data)
		if got := err == nil || !strings.Contains(err.Error(), "want a power of two"); got != want {
			t.Errorf("%d nodes: %v", nodes, err)
		}
	}
}

// Another nonce is refused, unless it passes.
func TestNonceOfVersion3(t *testing.T) {
	key, proof := proveBlake3(t)
	if err := verify.Proof(proof, key); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for range 20 {
		proof.Nonce++
		if check, _ := verify.RejectedBy(verify.Proof(proof, key)); check == verify.CheckNonce {
			refused++
		}
	}
	if refused < 18 { // each passes once in 2^8
		t.Errorf("%d of 20 nonces are refused", refused)
	}
}

// The committed proofs verify: this verifier hashes as the specification says, which the second verifier confirms.
func TestCommittedProofsVerify(t *testing.T) {
	guest, _ := fibGuest(t)
	machines := map[string]*circuit.Machine{"fib": fibProgram(t).Machine(), "tour": tourProgram(t).Machine(),
		"tour-shards": tourProgram(t).Machine(), "rv64im": guest.Machine()}
	for hash, suffix := range hashes {
		for name, m := range machines {
			key, err := setup.NewKey(m, testParamsOf(t, hash))
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join("../protocol/testdata", name+suffix+".proof"))
			if err != nil {
				t.Fatal(err)
			}
			if proof := new(protocol.Proof); !protocol.InShards(data) {
				if err = proof.UnmarshalBinary(data); err == nil {
					err = verify.Proof(proof, key)
				}
			} else if set := new(protocol.Set); set.UnmarshalBinary(data) == nil {
				err = verify.Set(set, key)
				// Only protocol 3 has salts.
				if set.Salt++; hash == merkle.Blake3 && verify.Set(set, key) == nil {
					t.Errorf("%s%s: it verifies with another salt", name, suffix)
				}
			}
			if err != nil {
				t.Errorf("%s%s: %v", name, suffix, err)
			}
		}
	}
}
