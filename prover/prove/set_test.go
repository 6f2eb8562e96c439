package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// Only a complete set of 2 to 256 shards without trailing bytes is decoded, and a set is not a proof.
func TestSetsThatAreNone(t *testing.T) {
	_, proven := proveShards(t, testParams(t), nil)
	data, err := proven.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var set protocol.Set
	if err := set.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, section := range set.Sections() {
		sum += section.Bytes
	}
	if sum != len(data) {
		t.Errorf("sections of %d bytes in all, the file has %d", sum, len(data))
	}
	of := func(count int) []byte {
		encoded, err := (&protocol.Set{Shards: slices.Repeat(set.Shards[:1], count)}).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	proof := encode(t, set.Shards[0])
	for name, tc := range map[string]struct {
		data []byte
		want string
	}{
		"one shard":     {of(1), "1 shards, want at least 2"},
		"too many":      {of(protocol.MaxShards + 1), "257 shards, want at most 256"},
		"a byte more":   {append(slices.Clone(data), 0), "1 bytes follow the end"},
		"a proof":       {proof, `it starts with "CHIASMUS", want "CHIASHRD"`},
		"protocol 1":    {slices.Concat(data[:8], []byte{1, 0, 0, 0}, data[12:]), "protocol 1"},
		"another magic": {slices.Concat([]byte("CHIASHRd"), data[8:]), "this is not a proof file"},
	} {
		var decoded protocol.Set
		if err := decoded.UnmarshalBinary(tc.data); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want words with %q", name, err, tc.want)
		}
	}
	for cut := 0; cut < len(data); cut += 101 {
		if err := new(protocol.Set).UnmarshalBinary(data[:cut]); err == nil {
			t.Errorf("the first %d bytes are a set", cut)
		}
	}
	if err := new(protocol.Proof).UnmarshalBinary(data); err == nil || protocol.InShards(proof) ||
		!protocol.InShards(data) {
		t.Error("a set is taken for a proof, or a proof for a set")
	}
	if err := new(protocol.Set).UnmarshalBinary(of(protocol.MaxShards)); err != nil {
		t.Errorf("as many shards as there may be: %v", err)
	}
}

// A shard verifies by itself at its index, under the common challenges of its set, and nowhere else.
func TestVerifyShard(t *testing.T) {
	for hash := range hashes {
		t.Run(hash.String(), func(t *testing.T) { testVerifyShard(t, testParamsOf(t, hash)) })
	}
}

func testVerifyShard(t *testing.T, params protocol.Params) {
	key, set := proveShards(t, params, nil)
	draw := func(shards []*protocol.Proof) protocol.Common {
		var commitments []protocol.Commitment
		for _, p := range shards {
			commitments = append(commitments, protocol.Commitment{Instances: p.Instances, MainCap: p.MainCap})
		}
		return key.Common(set.Shards[0].Public, commitments, nil)
	}
	common := draw(set.Shards)
	if drawn, err := verify.Together(set, key); err != nil || drawn != common {
		t.Errorf("together the shards draw something else: %v", err)
	}
	swapped := protocol.Set{Shards: []*protocol.Proof{set.Shards[1], set.Shards[0], set.Shards[2]}}
	if _, err := verify.Together(&swapped, key); err == nil {
		t.Error("shards that are swapped balance")
	}
	for i, proof := range set.Shards {
		if err := verify.Shard(proof, i, common, key); err != nil {
			t.Errorf("shard %d: %v", i, err)
		}
		if verify.Shard(proof, (i+1)%len(set.Shards), common, key) == nil {
			t.Errorf("shard %d verifies in another place", i)
		}
		if verify.Shard(proof, i, draw(set.Shards[:2]), key) == nil {
			t.Errorf("shard %d verifies under what others draw", i)
		}
		other, changed := *proof, set.Shards[(i+1)%len(set.Shards)]
		if other.Claimed = changed.Claimed; verify.Shard(&other, i, common, key) == nil {
			t.Errorf("shard %d verifies with the sums of another", i)
		}
		other = *proof
		other.MachineName = "another"
		if check, _ := verify.RejectedBy(verify.Shard(&other, i, common, key)); check != verify.CheckMachine {
			t.Errorf("shard %d of another machine is rejected by %q", i, check)
		}
	}
}
