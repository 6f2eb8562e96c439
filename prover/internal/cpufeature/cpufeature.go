// Package cpufeature selects the vector instructions of the prover's kernels.
//
// A [Level] is a set of kernels: pure Go, AVX2 or AVX-512. All levels compute the same words, so a proof does not
// depend on the level. The initial level is the best that the processor supports; [Select] changes it, for tests and
// the program's --cpu flag. The package reads no environment variable. Select a level at the start of a program or a
// test: kernels that are already running are not affected.
package cpufeature

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Level is a set of kernels. Higher levels include the lower ones.
type Level uint32

const (
	// Generic is pure Go.
	Generic Level = iota
	// AVX2 needs AVX2 and BMI2.
	AVX2
	// AVX512 needs AVX-512 F, DQ, BW and VL.
	AVX512
)

var levelNames = [...]string{"generic", "avx2", "avx512"}

// String returns the level's name in the syntax of the --cpu flag.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint32(l))
}

var active atomic.Uint32

// initial is the name of the initial level. The linker sets it (-X
// github.com/chiasmus/chiasmus/prover/internal/cpufeature.initial=avx2), so that `make test-cpu` tests kernels and
// whole proofs at every level.
var initial = "auto"

func init() {
	if err := Select(initial); err != nil {
		panic("cpufeature: initial level set by the linker: " + err.Error())
	}
}

// withoutByteDots disables the byte dot products.
var withoutByteDots atomic.Bool

// ByteDots reports whether AVX-512 kernels may use VNNI's byte dot products, which only some processors of that level
// support.
func ByteDots() bool { return hasByteDots && Active() >= AVX512 && !withoutByteDots.Load() }

// SetByteDots enables or disables byte dot products. They are initially enabled if the processor supports them.
func SetByteDots(use bool) { withoutByteDots.Store(!use) }

// withoutMultiplyAdd disables the 52-bit multiply-adds.
var withoutMultiplyAdd atomic.Bool

// MultiplyAdd reports whether AVX-512 kernels may use IFMA's 52-bit multiply-adds, which only some processors of that
// level support.
func MultiplyAdd() bool { return hasMultiplyAdd && Active() >= AVX512 && !withoutMultiplyAdd.Load() }

// SetMultiplyAdd enables or disables 52-bit multiply-adds. They are initially enabled if the processor supports them.
func SetMultiplyAdd(use bool) { withoutMultiplyAdd.Store(!use) }

// Best returns the highest supported level.
func Best() Level { return best }

// Active returns the level in use.
func Active() Level { return Level(active.Load()) }

// Supported lists the supported levels, from Generic to Best.
func Supported() []Level {
	levels := make([]Level, Best()+1)
	for i := range levels {
		levels[i] = Level(i)
	}
	return levels
}

// Set activates a level. It fails if the processor does not support it.
func Set(l Level) error {
	if l > Best() {
		return fmt.Errorf("this processor does not support %v kernels, want at most %v", l, Best())
	}
	active.Store(uint32(l))
	return nil
}

// Select is Set by name: generic, avx2, avx512, or auto for the best.
func Select(name string) error {
	if name == "auto" {
		return Set(Best())
	}
	for i, known := range levelNames {
		if name == known {
			return Set(Level(i))
		}
	}
	return fmt.Errorf("unknown processor level %q, want auto, %s", name, strings.Join(levelNames[:], ", "))
}
