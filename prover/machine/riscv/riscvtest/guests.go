package riscvtest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
)

// Guest returns a program of guests/elf, or of the folder elf in the working directory for tests that run outside the
// repository.
func Guest(t testing.TB, name string) []byte {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(filepath.Join(folder, "elf", name+".elf")); err == nil {
		return file
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("the tests run outside the repository")
		}
		folder = filepath.Dir(folder)
	}
	file, err := os.ReadFile(filepath.Join(folder, "guests", "elf", name+".elf"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Numbers encodes numbers as eight bytes each, in little-endian order.
func Numbers(numbers ...uint64) []byte {
	var data []byte
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}

// Case is a guest with inputs for a short run.
type Case struct {
	Name   string
	Guest  string
	Inputs memory.Inputs
}

// Script is a program for the guest interpreter: it prints the sum and the maximum of the private numbers, then the
// Collatz sequence of the maximum.
const Script = `0 set s 0 set m
left { input dup get s + set s dup get m swap < { get m drop dup set m 0 } drop left }
get s print get m print
get m 1 = not { get m 2 % 0 = dup set e { get m 2 / set m 0 } get e not { get m 3 * 1 + set m 0 } get m print get m 1 = not }`

// Cases returns short runs of every guest that calls no accelerator.
func Cases() []Case {
	text := []byte("the quick brown fox jumps over the lazy dog, and then does it again until two blocks of SHA-256 are " +
		"full: that is what one hundred and thirty seven bytes are for.")
	return []Case{
		{"fib", "fib", memory.Inputs{Private: Numbers(1000)}},
		{"sha256", "sha256", memory.Inputs{Private: text}},
		{"sha256-empty", "sha256", memory.Inputs{}},
		{"quicksort", "quicksort", memory.Inputs{Private: Numbers(200, 7)}},
		{"interpreter", "interpreter", memory.Inputs{Private: Numbers(3, 11, 5), Public: []byte(Script)}},
		{"cycle", "cycle", memory.Inputs{Private: Numbers(40, 1)}},
		{"primes", "primes", memory.Inputs{Private: Numbers(1_000_003, 2)}},
	}
}
