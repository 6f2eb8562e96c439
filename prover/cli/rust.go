package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debianRust is where Debian's packages put cargo and rustc.
const debianRust = "/usr/bin"

// rust is a toolchain that can build a standard library.
type rust struct {
	folder  string // of cargo and rustc
	version string // as rustc reports it
	linker  string
}

// findRust returns the first toolchain that has the sources of the standard library: in the named folder, or in PATH
// and Debian's folder. It runs the tools in the project's folder, where rustup follows rust-toolchain.toml.
func findRust(named, project string) (*rust, error) {
	folders := []string{named}
	if named == "" {
		folders = []string{debianRust}
		if cargo, err := exec.LookPath("cargo"); err == nil && filepath.Dir(cargo) != debianRust {
			folders = []string{filepath.Dir(cargo), debianRust}
		}
	}
	var without []string
	for _, folder := range folders {
		full, err := filepath.Abs(folder) // rustc runs in the project's folder
		if err != nil {
			return nil, err
		}
		r, missing := openRust(full, project)
		if r != nil {
			return r, nil
		}
		without = append(without, fmt.Sprintf("  %s: %s", folder, missing))
	}
	return nil, fmt.Errorf("no Rust toolchain that can build a guest: the standard library is compiled too, from "+
		"sources.\n%s\nEither of these adds them:\n  rustup component add rust-src\n"+
		"  apt-get install cargo-web rustc-web rust-web-src lld (Debian 12)", strings.Join(without, "\n"))
}

// openRust checks the toolchain in a folder. If the toolchain is not complete, it returns nil and names the missing
// part.
func openRust(folder, project string) (r *rust, missing string) {
	for _, tool := range []string{"cargo", "rustc"} {
		if _, err := os.Stat(filepath.Join(folder, tool)); err != nil {
			return nil, "no " + tool
		}
	}
	ask := func(arguments ...string) (string, error) {
		cmd := exec.Command(filepath.Join(folder, "rustc"), arguments...)
		cmd.Dir = project
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	version, err := ask("--version")
	if err != nil {
		return nil, "rustc --version: " + firstLine(err)
	}
	root, err := ask("--print", "sysroot")
	if err != nil {
		return nil, "rustc --print sysroot: " + firstLine(err)
	}
	library := filepath.Join(root, "lib", "rustlib", "src", "rust", "library", "std", "Cargo.toml")
	if _, err := os.Stat(library); err != nil {
		return nil, fmt.Sprintf("%s, without the sources of its standard library (rust-src)", version)
	}
	if bundled, _ := filepath.Glob(filepath.Join(root, "lib", "rustlib", "*", "bin", "rust-lld")); len(bundled) > 0 {
		return &rust{folder, version, bundled[0]}, ""
	}
	linker, err := exec.LookPath("ld.lld")
	if err != nil {
		return nil, version + ", but no linker: neither rust-lld nor ld.lld"
	}
	return &rust{folder, version, linker}, ""
}

// firstLine adds the first line of a program's stderr to its error.
func firstLine(err error) string {
	if exit, ok := err.(*exec.ExitError); ok && len(exit.Stderr) > 0 {
		line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return line
	}
	return err.Error()
}
