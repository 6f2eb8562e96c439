package nvrtc

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Library is a loaded NVRTC.
type Library struct {
	dl       *dynlib.Library
	version  int
	identity string
}

const advice = "Install it with the CUDA toolkit, or alone with `pip install nvidia-cuda-nvrtc==13.0.88`, " +
	"or give the " +
	"file with --nvrtc; kernels built ahead of time by `prover kernels build` need no compiler"

// Open loads the first NVRTC found. The error lists the paths tried and says what to install.
func Open(search Search) (*Library, error) {
	dl, err := dynlib.Open("NVRTC, the CUDA run-time compiler,", advice, search.Candidates(), preloadBuiltins)
	if err != nil {
		return nil, err
	}
	return resolve(dl)
}

// preloadBuiltins loads the companion library first: NVRTC opens it by bare name, which the loader does not find in a
// folder outside its search path.
func preloadBuiltins(path string) {
	matches, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "libnvrtc-builtins.so.*"))
	for _, match := range matches {
		dynlib.Preload(match)
	}
}

func resolve(dl *dynlib.Library) (*Library, error) {
	missing := dl.Resolve(Symbols)
	library := &Library{dl: dl}
	if !dl.Has(int(version)) {
		return nil, fmt.Errorf("%s is not an NVRTC library: it lacks nvrtcVersion", dl.Path())
	}
	numbers := new([2]int32)
	library.call(version, uintptr(unsafe.Pointer(&numbers[0])), uintptr(unsafe.Pointer(&numbers[1])))
	library.version = int(numbers[0])*1000 + int(numbers[1])*10
	if library.version < leastVersion || len(missing) > 0 {
		return nil, fmt.Errorf("NVRTC at %s has version %d.%d, at least %d.%d is needed: install a newer CUDA toolkit",
			dl.Path(), numbers[0], numbers[1], leastVersion/1000, leastVersion%1000/10)
	}
	identity, err := identify(dl.Path())
	if err != nil {
		return nil, fmt.Errorf("identifying the compiler: %w", err)
	}
	library.identity = fmt.Sprintf("nvrtc-%d.%d-%s", numbers[0], numbers[1], identity)
	return library, nil
}

//go:uintptrescapes
func (l *Library) call(f function, arguments ...uintptr) int32 {
	return int32(l.dl.Call(int(f), arguments...))
}

// Version returns NVRTC's version, such as 13000.
func (l *Library) Version() int { return l.version }

// Path returns the file the library was loaded from.
func (l *Library) Path() string { return l.dl.Path() }

// Identity identifies the compiler's version and build, so that a cache distinguishes compilers.
func (l *Library) Identity() string { return l.identity }

// identify returns the library's build ID, which the linker computed from its contents, or else a hash of the file.
// NVRTC's builtins library has the version in its name and is built together with it.
func identify(path string) (string, error) {
	if file, err := elf.Open(path); err == nil {
		defer file.Close()
		if section := file.Section(".note.gnu.build-id"); section != nil {
			if note, err := section.Data(); err == nil && len(note) > 16 {
				return hex.EncodeToString(note[16:]), nil
			}
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// Architectures lists the supported architectures, such as sm_80, in ascending order.
func (l *Library) Architectures() ([]string, error) {
	count := new(int32)
	if err := l.check("nvrtcGetNumSupportedArchs",
		l.call(getNumSupportedArchs, uintptr(unsafe.Pointer(count)))); err != nil {
		return nil, err
	}
	if *count == 0 {
		return nil, nil
	}
	numbers := make([]int32, *count)
	if err := l.check("nvrtcGetSupportedArchs",
		l.call(getSupportedArchs, uintptr(unsafe.Pointer(&numbers[0])))); err != nil {
		return nil, err
	}
	names := make([]string, len(numbers))
	for i, number := range numbers {
		names[i] = fmt.Sprintf("sm_%d", number)
	}
	return names, nil
}

// Error is a failed NVRTC call. Log is the compiler's output if the call was the compilation.
type Error struct {
	Call string
	Code int32
	Text string
	Log  string
}

func (e *Error) Error() string {
	message := fmt.Sprintf("%s: %s (%d)", e.Call, e.Text, e.Code)
	if log := strings.TrimSpace(e.Log); log != "" {
		message += "\n" + log
	}
	return message
}

func (l *Library) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	text := dynlib.String(l.dl.Call(int(getErrorString), uintptr(code)))
	return &Error{Call: call, Code: code, Text: text}
}
