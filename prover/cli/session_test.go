package cli_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// A session's reply matches the file that it wrote: bytes, digest and statement. The proof equals the one that prove
// makes of that seed.
func TestSessionRepliesAreOfTheFiles(t *testing.T) {
	folder := t.TempDir()
	backends := []cli.Backend{working("cpu")}
	workload := []string{"--machine", "fib", "--size", "64", "--params", "test"}
	seeds := []uint64{2, 3, 2, 1<<64 - 1, 0}
	var requests strings.Builder
	for i, seed := range seeds {
		fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":%d,"proof":%q,"hash":%v}`+"\n", i, seed,
			filepath.Join(folder, fmt.Sprint(i)), i != 3)
	}
	code, stdout, stderr := run(t, requests.String(), backends, append([]string{"session"}, workload...)...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != 0 || len(lines) != 1+len(seeds) {
		t.Fatalf("exit code %d, replies %q: %s", code, lines, stderr)
	}
	var first map[string]uint64
	for i, seed := range seeds {
		var reply struct {
			Event, Error string
			ID           int
			OK           bool
			Statement    string `json:"exact_statement"`
			Bytes        int    `json:"proof_bytes"`
			SHA256       string `json:"proof_sha256"`
			Counters     map[string]uint64
		}
		if err := json.Unmarshal([]byte(lines[1+i]), &reply); err != nil || reply.Event != "proof" || !reply.OK ||
			reply.ID != i {
			t.Fatalf("reply %s, %v", lines[1+i], err)
		}
		data, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		want := hex.EncodeToString(sum[:])
		if i == 3 {
			want = "" // the request said so
		}
		if reply.Bytes != len(data) || reply.SHA256 != want {
			t.Errorf("seed %d: %d bytes with digest %q, the reply says %s", seed, len(data), want, lines[1+i])
		}
		result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits})
		if err != nil {
			t.Fatal(err)
		}
		if reply.Statement != hex.EncodeToString(result.ExactStatement[:]) {
			t.Errorf("seed %d: the proof states %x, the reply says %s", seed, result.ExactStatement, reply.Statement)
		}
		delete(reply.Counters, "grind_hashes") // the only counter that varies
		if first == nil {
			first = reply.Counters
		}
		if !maps.Equal(first, reply.Counters) || first["hashes"] == 0 || first["cells"] == 0 || first["rows"] != 64 {
			t.Errorf("seed %d: counters %v, those of the first proof are %v", seed, reply.Counters, first)
		}
		alone := filepath.Join(folder, "alone")
		if code, _, stderr := run(t, "", backends,
			append([]string{"prove", "--seed", fmt.Sprint(seed), "--proof", alone, "--quiet"}, workload...)...); code != 0 {
			t.Fatal(stderr)
		}
		if same, err := os.ReadFile(alone); err != nil || string(same) != string(data) {
			t.Errorf("seed %d: the session's proof is not the one of prove --seed (%v)", seed, err)
		}
	}
}

// A verifier that accepts weak proofs still accepts none of another statement.
func TestWeakProofsAreHeldToTheStatement(t *testing.T) {
	proof := filepath.Join(t.TempDir(), "p")
	if code, _, stderr := run(t, "", []cli.Backend{working("cpu")}, "prove", "--machine", "keccak", "--size", "1",
		"--params", "test", "--proof", proof, "--quiet"); code != 0 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(proof)
	if err != nil {
		t.Fatal(err)
	}
	result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits})
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for _, f := range result.Claims.Describe(result.Proof.Public) {
		fields[f.Name] = f.Value
	}
	other := func(text string) string { return strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, text) }
	zeros := strings.Repeat("0", 64)
	for name, tc := range map[string]struct {
		flags []string
		want  int
	}{
		"nothing":             {nil, 0},
		"its exact statement": {[]string{"--expect-statement", hex.EncodeToString(result.ExactStatement[:])}, 0},
		"its class":           {[]string{"--expect-statement", hex.EncodeToString(result.ClassStatement[:])}, 0},
		"another statement":   {[]string{"--expect-statement", zeros}, 1},
		"its digest":          {[]string{"--expect-digest", fields["digest"]}, 0},
		"another digest": {[]string{"--expect-digest",
			fields["digest"][:63] + map[bool]string{true: "1", false: "0"}[fields["digest"][63] == '0']}, 1},
		"its length":             {[]string{"--expect-length", fields["length"]}, 0},
		"another length":         {[]string{"--expect-length", other(fields["length"])}, 1},
		"a greater length":       {[]string{"--expect-length", "99999"}, 1},
		"the length 0":           {[]string{"--expect-length", "0"}, 1},
		"its length, other hash": {[]string{"--expect-length", fields["length"], "--expect-digest", zeros}, 1},
	} {
		code, _, stderr := run(t, "", nil, append([]string{"verify", "--min-bits", "0", proof}, tc.flags...)...)
		if code != tc.want || code == 1 && !strings.Contains(stderr, "the proof is about") {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, tc.want, stderr)
		}
	}
}
