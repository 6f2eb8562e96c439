package build

import (
	"errors"
	"strings"
	"testing"
)

// Lines printed by the 2026 versions of rustup, Cargo and Go.
func TestAdvice(t *testing.T) {
	for _, c := range [][2]string{
		{"error: toolchain '1.84-x86_64-unknown-linux-gnu' is not installed", "(rustup toolchain install 1.84 --profile"},
		{"error: toolchain 'nightly-2025-01-01' is not installed", "toolchain install nightly-2025-01-01 --profile"},
		{"  feature `edition2024` is required", "RUSTUP_TOOLCHAIN: stable"},
		{"error: package `x v1.0.0` cannot be built because it requires rustc 1.88 or newer", "_TOOLCHAIN: stable"},
		{"error: the lock file /w/Cargo.lock needs to be updated but --locked was passed", "leave --locked out"},
		{"error: cannot create the lock file /w/Cargo.lock because --locked was passed", "leave --locked out"},
		{"go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)", "install Go 1.99,"},
		{"error[E0308]: mismatched types; the toolchain is installed, go.mod is as it was", ""},
	} {
		line, want := c[0], c[1]
		cause := errors.New("exit status 101")
		err := advised(cause, "Compiling x\n"+line+"\nend")
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), want) || want == "" && err.Error() != "exit status 101" {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
