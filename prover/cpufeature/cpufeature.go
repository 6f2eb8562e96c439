// Package cpufeature says which vector instructions the prover's kernels may
// use.
//
// A [Level] is a set of kernels: pure Go, AVX2 or AVX-512. Each level computes
// the same words, so a proof does not depend on it. At start the level is the
// best that the processor has; [Select] sets another one, which tests and the
// program's --cpu flag use. The package reads no environment variable, and
// selecting a level is for the start of a program or a test: kernels that
// already run finish in the form they began in.
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

// String is the level's name as the --cpu flag takes it.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint32(l))
}

var active atomic.Uint32

// initial is the name of the level to start with. The linker sets it
// (-X github.com/chiasmus/chiasmus/prover/cpufeature.initial=avx2), so that
// `make test-cpu` runs the tests of kernels and of whole proofs at every level.
var initial = "auto"

func init() {
	if err := Select(initial); err != nil {
		panic("cpufeature: built to start otherwise: " + err.Error())
	}
}

// withoutByteDots is set where the byte dot products are not to be used.
var withoutByteDots atomic.Bool

// ByteDots reports whether AVX-512 kernels may use VNNI's dot products of bytes,
// which some processors of that level have.
func ByteDots() bool { return hasByteDots && Active() >= AVX512 && !withoutByteDots.Load() }

// SetByteDots says whether kernels may use dot products of bytes where the
// processor has them, as they do from the start.
func SetByteDots(use bool) { withoutByteDots.Store(!use) }

// withoutMultiplyAdd is set where multiply-adds of 52 bits are not to be used.
var withoutMultiplyAdd atomic.Bool

// MultiplyAdd reports whether AVX-512 kernels may use IFMA's multiply-adds of 52 bits, which some processors of that
// level have.
func MultiplyAdd() bool { return hasMultiplyAdd && Active() >= AVX512 && !withoutMultiplyAdd.Load() }

// SetMultiplyAdd says whether kernels may use multiply-adds of 52 bits where the
// processor has them, as they do from the start.
func SetMultiplyAdd(use bool) { withoutMultiplyAdd.Store(!use) }

// Best is the highest level the processor has.
func Best() Level { return best }

// Active is the level in use.
func Active() Level { return Level(active.Load()) }

// Supported lists the levels the processor has, from Generic to Best.
func Supported() []Level {
	levels := make([]Level, Best()+1)
	for i := range levels {
		levels[i] = Level(i)
	}
	return levels
}

// Set makes l the level in use. It fails when the processor does not have it.
func Set(l Level) error {
	if l > Best() {
		return fmt.Errorf("this processor has no %v kernels, its best are %v", l, Best())
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
