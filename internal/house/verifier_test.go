package house

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxVerifierLines limits how much must be read to trust a verifier: the lines of Go and assembly of this module in all
// dependencies of prover/verify.
const maxVerifierLines = 15000

// generated marks files written by a program. The vector kernels of the field and of the hashes are such files. Tests
// compare them with the portable code that they replace, and a platform without them verifies by that code.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// built is a package as it is built for one platform.
type built struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	SFiles     []string
}

// verifierClosure lists what prover/verify needs to build on a platform, standard library excluded.
func verifierClosure(t *testing.T, goos, goarch string) (closure []built) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,SFiles", "./prover/verify")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p built
		if err := decoder.Decode(&p); err == io.EOF {
			return closure
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ImportPath, module+"/") {
			closure = append(closure, p)
		}
	}
}

// lines counts the lines of files, and separately the lines of generated files.
func (p *built) lines(t *testing.T) (written, made int) {
	t.Helper()
	for _, name := range slices.Concat(p.GoFiles, p.SFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		n := bytes.Count(text, []byte("\n"))
		if generated.Match(text) {
			made += n
		} else {
			written += n
		}
	}
	return written, made
}

// A verifier is short enough to read: on a platform without vector kernels all of its lines count, and on other
// platforms the lines that were not generated.
func TestVerifierIsSmall(t *testing.T) {
	for _, platform := range []struct{ os, arch string }{{"linux", "amd64"}, {"js", "wasm"}, {"wasip1", "wasm"}} {
		written, made := 0, 0
		closure := verifierClosure(t, platform.os, platform.arch)
		for _, p := range closure {
			w, m := p.lines(t)
			written, made = written+w, made+m
			if under(short(p.ImportPath), proving...) {
				t.Errorf("%s/%s: the verifier needs %s", platform.os, platform.arch, short(p.ImportPath))
			}
		}
		t.Logf("%s/%s: %d packages, %d lines, and %d that are generated", platform.os, platform.arch, len(closure), written,
			made)
		if len(closure) < 10 || written < 3000 {
			t.Errorf("%s/%s: %d packages with %d lines: this test looks in the wrong place", platform.os, platform.arch,
				len(closure), written)
		}
		if written > maxVerifierLines {
			t.Errorf("%s/%s: the verifier has %d lines, want at most %d", platform.os, platform.arch, written, maxVerifierLines)
		}
		if platform.arch == "wasm" && made > 0 {
			t.Errorf("%s/%s: %d lines of the verifier are generated, want none", platform.os, platform.arch, made)
		}
	}
}
