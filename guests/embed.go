// Package guests holds the kit that builds programs for the RISC-V machine: the compiler's flags, the linker script and
// the library for C, the targets and the crate for Rust. It is embedded in the binary, so users of prover need no copy
// of the repository.
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
//go:embed blst/LICENSE blst/README.md blst/bindings/*.h blst/src/*.c blst/src/*.h
//go:embed sdk/libzkvm.a sdk/zkvm.ld sdk/SHA256SUMS
//go:embed rust/targets/*.json rust/chiasmus-guest/Cargo.toml rust/chiasmus-guest/build.rs rust/chiasmus-guest/src/*.rs
var files embed.FS

// linkerScript is embedded in the Rust targets, so that the compiler's flags contain no path to it.
const linkerScript = "zkvm.ld"

// Kit is a folder that holds the kit.
type Kit string

// SDK is the folder of libzkvm.a and zkvm.ld, with which guests that name no zkVM are linked.
func (k Kit) SDK() string { return filepath.Join(string(k), "sdk") }

// CC is the compiler for C.
func (k Kit) CC() string { return filepath.Join(string(k), "cc") }

// Crate is the folder of the crate chiasmus-guest.
func (k Kit) Crate() string { return filepath.Join(string(k), "rust", "chiasmus-guest") }

// targets is the folder of targets for rustc inside the kit.
const targets = "rust/targets/"

// Target is the specification of a target for rustc, with or without std. Cargo builds every crate again where its path
// changes, so the targets have a folder of their own beside the kit's: it stays while they do.
func (k Kit) Target(std bool) (string, error) {
	name := "riscv64im-unknown-none-elf.json"
	if std {
		name = "riscv64im-unknown-zkvm-elf.json"
	}
	contents, err := contents()
	return filepath.Join(filepath.Dir(string(k)), targetsFolder(contents), targets, name), err
}

func targetsFolder(contents []file) string { return "targets-" + digest(onlyTargets(contents))[:16] }

func onlyTargets(contents []file) []file {
	return slices.DeleteFunc(slices.Clone(contents), func(f file) bool { return !strings.HasPrefix(f.path, targets) })
}

// Install writes the kit and its targets below a folder of caches, unless they are there, and returns where. The
// folders' names are digests of what they hold.
func Install(cache string) (Kit, error) {
	contents, err := contents()
	if err != nil {
		return "", err
	}
	if err := install(cache, targetsFolder(contents), onlyTargets(contents)); err != nil {
		return "", err
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
