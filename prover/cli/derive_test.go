package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/guests"
)

// A derived crate is made once, from the folder that cargo names; without such a folder there is an error and no crate.
func TestDeriveCrate(t *testing.T) {
	original, tools := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(original, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(original, "Cargo.toml")
	if err := os.WriteFile(manifest, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	metadata, err := json.Marshal(map[string]any{"packages": []any{
		map[string]string{"name": "fetch", "version": "1.2.3", "manifest_path": "/none"},
		map[string]string{"name": "crypto-bigint", "version": "1.2.3", "manifest_path": manifest},
	}})
	if err != nil {
		t.Fatal(err)
	}
	cargo := "#!/bin/sh\ncat <<'END'\n" + string(metadata) + "\nEND\n"
	if err := os.WriteFile(filepath.Join(tools, "cargo"), []byte(cargo), 0o755); err != nil {
		t.Fatal(err)
	}
	p, toolchain, project := &program{stderr: io.Discard}, &rust{folder: tools}, t.TempDir()
	folder := filepath.Join(t.TempDir(), "derived", "crypto-bigint")
	d := guests.Derivation{Name: "crypto-bigint", Version: "9.9.9"}
	err = p.deriveCrate(t.Context(), toolchain, d, folder, project)
	if _, made := os.Stat(folder); err == nil || !strings.Contains(err.Error(), "crypto-bigint 9.9.9") || made == nil {
		t.Fatalf("an original that cargo does not name: %v", err)
	}
	d.Version = "1.2.3"
	if err := p.deriveCrate(t.Context(), toolchain, d, folder, project); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"Cargo.toml": "kept", "src/accelerated.rs": "Products"} {
		if text, err := os.ReadFile(filepath.Join(folder, path)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v, want %q in it", path, text, err, want)
		}
	}
	if err := p.deriveCrate(t.Context(), &rust{folder: "/none"}, d, folder, project); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(folder)); len(left) != 1 {
		t.Errorf("%d entries beside the crate, want it alone", len(left))
	}
}
