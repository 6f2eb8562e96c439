package softgpu

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
)

// The C++ sources are in a folder without Go files; otherwise the go command would compile them with cgo.
//
//go:embed source
var sources embed.FS

// NoCompilerError means that the host has no C++ compiler.
type NoCompilerError struct{ Tried []string }

func (e *NoCompilerError) Error() string {
	return fmt.Sprintf("the software device is compiled by a C++17 compiler and none was found (tried %s): install g++",
		strings.Join(e.Tried, ", "))
}

// Available returns the C++ compiler that [Open] would use, or an error that says why the software device is
// unavailable. It builds nothing.
func Available() (compiler string, err error) {
	if err := checkHost(); err != nil {
		return "", err
	}
	return findCompiler("")
}

func checkHost() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("the software device needs Linux on x86-64, not %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// findCompiler returns the path of the given compiler, or of the first common one.
func findCompiler(given string) (string, error) {
	tried := []string{"g++", "c++"}
	if given != "" {
		tried = []string{given}
	}
	for _, name := range tried {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", &NoCompilerError{Tried: tried}
}

// buildLibrary returns the path of the device library, which it compiles into the cache folder if necessary. The key
// includes every source, the compiler and its version.
func buildLibrary(cache, compiler string) (string, error) {
	if err := checkHost(); err != nil {
		return "", err
	}
	version, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", compiler, err)
	}
	key, err := sourceHash(compiler, string(version))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("the software device's cache: %w", err)
	}
	path := filepath.Join(cache, "libsoftgpu-"+key[:32]+".so")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return "", fmt.Errorf("locking the software device's cache: %w", err)
	}
	defer lock.Close()
	if intact(path) {
		return path, nil
	}
	return path, compileLibrary(path, compiler)
}

func sourceHash(parts ...string) (string, error) {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	err := fs.WalkDir(sources, "source", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		fmt.Fprintf(hash, "%s %d:%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil)), err
}

// intact reports whether a cached library matches the hash stored next to it.
func intact(path string) bool {
	library, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	want, err := os.ReadFile(path + ".sha256")
	sum := sha256.Sum256(library)
	return err == nil && string(want) == hex.EncodeToString(sum[:])
}

func compileLibrary(path, compiler string) error {
	folder, err := os.MkdirTemp("", "softgpu-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	unit, err := writeSources(folder)
	if err != nil {
		return err
	}
	built := filepath.Join(folder, "libsoftgpu.so")
	arguments := []string{"-std=c++17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden",
		"-fno-strict-aliasing", "-Wall", "-Wextra",
		"-pthread", "-Wl,--build-id", "-Wl,-z,defs", "-Wl,--version-script=" + filepath.Join(folder, "exports.map"),
		fmt.Sprintf("-DSOFTGPU_CXX=%q", compiler), "-I" + folder, "-o", built, unit, "-ldl"}
	if output, err := exec.Command(compiler, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the software device with %s: %w\n%s", compiler, err, output)
	}
	return install(built, path)
}

// writeSources writes the sources to a folder, and a unit that includes all of them: the C++ library's headers take
// longer to compile than the sources. It also writes the two kernel-side headers as string literals, which the library
// passes to the kernels' compiler.
func writeSources(folder string) (unit string, err error) {
	entries, err := sources.ReadDir("source")
	if err != nil {
		return "", err
	}
	var includes strings.Builder
	for _, entry := range entries {
		text, err := sources.ReadFile("source/" + entry.Name())
		if err != nil {
			return "", err
		}
		path := filepath.Join(folder, entry.Name())
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return "", err
		}
		switch {
		case strings.HasSuffix(entry.Name(), ".cpp"):
			fmt.Fprintf(&includes, "#include %q\n", entry.Name())
		case entry.Name() == "abi.h" || entry.Name() == "dialect.h":
			literal := "R\"softgpu(" + string(text) + ")softgpu\"\n"
			if err := os.WriteFile(strings.TrimSuffix(path, ".h")+".inc", []byte(literal), 0o600); err != nil {
				return "", err
			}
		}
	}
	unit = filepath.Join(folder, "softgpu.cpp")
	return unit, os.WriteFile(unit, []byte(includes.String()), 0o600)
}

// install moves the library into the cache atomically, after its hash.
func install(from, to string) error {
	library, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(library)
	temporary, err := os.CreateTemp(filepath.Dir(to), ".libsoftgpu-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(library)
	if err := errors.Join(err, temporary.Chmod(0o755), temporary.Close()); err != nil {
		return err
	}
	if err := os.WriteFile(to+".sha256", []byte(hex.EncodeToString(sum[:])), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), to)
}
