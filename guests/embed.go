// Package guests has the kit that builds programs for the RISC-V machine: the compiler's flags, the linker script and
// the library for C, the targets and the crates for Rust. The kit is embedded in the binary, so users of prover need no
// copy of the repository.
package guests

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed Makefile cc zkvm.ld include/*.h library/*.c library/*.h library/*.cc library/*.S
//go:embed verifier/*.c verifier/*.h verifier/machines/rv64im.c
//go:embed sdk/libzkvm.a sdk/libzkvm_verify.a sdk/zkvm.ld sdk/SHA256SUMS
//go:embed rust/targets/*.json rust/chiasmus-guest/Cargo.toml rust/chiasmus-guest/build.rs rust/chiasmus-guest/src/*.rs
//go:embed rust/chiasmus-verify/Cargo.toml rust/chiasmus-verify/build.rs rust/chiasmus-verify/src/*.rs
//go:embed rust/chiasmus-precompiles/Cargo.toml rust/chiasmus-precompiles/src/*.rs
//go:embed rust/patches/*.rs rust/patches/*/Cargo.toml rust/patches/*/src/*.rs rust/derived/*/edits rust/derived/*/*.rs
//go:embed rust/signatures/*.rs rust/signatures/*/Cargo.toml rust/signatures/*/src/*.rs
var files embed.FS

// linkerScript is embedded in the Rust targets, so that the compiler's flags contain no path to it.
const linkerScript = "zkvm.ld"

// Kit is a folder with the kit.
type Kit string

// CC returns the compiler for C.
func (k Kit) CC() string { return filepath.Join(string(k), "cc") }

// part is a part of the kit with its own folder. Cargo rebuilds the dependents of a changed path, so the path of a
// part's folder changes only with the part's files.
type part struct {
	name  string
	paths []string // of files, or of folders with a slash at the end
}

var (
	targets = part{"targets", []string{"rust/targets/"}}
	// The crate links the library at its place in the kit, two folders up.
	crate   = part{"crate", []string{"rust/chiasmus-guest/", "sdk/libzkvm.a"}}
	patches = part{"patches", []string{patchFolder, signatureFolder, "rust/" + precompilesCrate + "/"}}
	// The verifier changes with the machine's tables, so it has its own part.
	verifier = part{"verifier", []string{"rust/" + verifierCrate + "/", "sdk/libzkvm_verify.a"}}
	// Install does not write this part: prover build makes its crates when a program uses them.
	derived = part{"derived", []string{derivedFolder, patchFolder + "calls.rs", patchFolder + "points.rs"}}
)

// of selects the part's files from the kit's.
func (p part) of(contents []file) (files []file) {
	for _, f := range contents {
		if slices.ContainsFunc(p.paths, func(path string) bool { return strings.HasPrefix(f.path, path) }) {
			files = append(files, f)
		}
	}
	return files
}

// folder returns the name of the part's folder.
func (p part) folder(contents []file) string { return p.name + "-" + digest(p.of(contents))[:16] }

// part returns a path in the folder of a part.
func (k Kit) part(p part, path string) (string, error) {
	contents, err := contents()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(string(k)), p.folder(contents), filepath.FromSlash(path)), nil
}

// Crate returns the folder of the crate chiasmus-guest.
func (k Kit) Crate() (string, error) { return k.part(crate, "rust/chiasmus-guest") }

// Folders with a folder for each crate, and the crates that verify proofs and implement Ethereum's precompiled
// contracts.
const (
	patchFolder      = "rust/patches/"
	signatureFolder  = "rust/signatures/"
	verifierCrate    = "chiasmus-verify"
	precompilesCrate = "chiasmus-precompiles"
)

// Patches returns the names of the crates that have patches: crates with the same names that use the accelerators.
func Patches() []string { return append(crates(patchFolder), crates(derivedFolder)...) }

// Crates returns the names of the crates that a program can name as dependencies: the crates for signatures and
// precompiled contracts, and the verifier of proofs. The crates for signatures depend on the crates whose interfaces
// they have, and so cannot have the same names.
func Crates() []string { return append(crates(signatureFolder), precompilesCrate, verifierCrate) }

func crates(folder string) (names []string) {
	entries, err := files.ReadDir(path.Clean(folder))
	if err != nil {
		panic(err) // it is embedded
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// Patch returns the folder of a crate, one of [Patches] or [Crates]. The folder of a [Derived] crate may not exist.
func (k Kit) Patch(name string) (string, error) {
	switch {
	case name == verifierCrate:
		return k.part(verifier, "rust/"+verifierCrate)
	case name == precompilesCrate:
		return k.part(patches, "rust/"+precompilesCrate)
	case slices.Contains(crates(derivedFolder), name):
		return k.part(derived, name)
	case slices.Contains(crates(signatureFolder), name):
		return k.part(patches, signatureFolder+name)
	}
	return k.part(patches, patchFolder+name)
}

// Target returns the specification of a target for rustc, with or without std.
func (k Kit) Target(std bool) (string, error) {
	if std {
		return k.part(targets, "rust/targets/riscv64im-unknown-zkvm-elf.json")
	}
	return k.part(targets, "rust/targets/riscv64im-unknown-none-elf.json")
}

// Install writes the kit and its parts below a folder of caches, unless they exist, and returns the kit's folder. The
// folders' names contain digests of their files.
func Install(cache string) (Kit, error) {
	contents, err := contents()
	if err != nil {
		return "", err
	}
	for _, p := range []part{targets, crate, patches, verifier} {
		if err := install(cache, p.folder(contents), p.of(contents)); err != nil {
			return "", err
		}
	}
	kit := "kit-" + digest(contents)[:16]
	return Kit(filepath.Join(cache, kit)), install(cache, kit, contents)
}

// install writes files to a folder at once.
func install(cache, name string, contents []file) error {
	folder := filepath.Join(cache, name)
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(cache, "kit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	for _, f := range contents {
		if err := f.write(fresh); err != nil {
			return err
		}
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil {
		if _, there := os.Stat(folder); there != nil {
			return err
		}
		// Another process was first.
	}
	return nil
}

// file is a file of the kit.
type file struct {
	path string
	text []byte
}

func (f file) write(folder string) error {
	to := filepath.Join(folder, filepath.FromSlash(f.path))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if f.path == "cc" {
		mode = 0o755
	}
	return os.WriteFile(to, f.text, mode)
}

// contents returns the kit's files, ordered by path.
func contents() (all []file, err error) {
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err == nil && path.Ext(name) == ".json" {
			text, err = withScript(text)
		}
		all = append(all, file{name, text})
		return err
	})
	return all, err
}

// withScript adds the linker script to the specification of a target.
func withScript(text []byte) ([]byte, error) {
	script, err := files.ReadFile(linkerScript)
	if err != nil {
		return nil, err
	}
	var target map[string]any
	if err := json.Unmarshal(text, &target); err != nil {
		return nil, fmt.Errorf("a target of the kit: %w", err)
	}
	if _, has := target["link-script"]; has {
		return nil, errors.New("a target of the kit already has a linker script")
	}
	target["link-script"] = string(script)
	return json.MarshalIndent(target, "", "  ")
}

func digest(contents []file) string {
	h := sha256.New()
	for _, f := range contents {
		fmt.Fprintf(h, "%s %d\n%s", f.path, len(f.text), f.text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
