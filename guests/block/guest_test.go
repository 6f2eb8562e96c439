package block

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/guests/block/witness"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// output is the guest's statement for block 23587691: the hashes of block and parent, the state roots before and after,
// mainnet, and that there was no parent's header.
const output = "9947c2115bd723806b7e9ebe5d1787696b7e87f00de6528e30f9314ea4382182" +
	"149e213219b83fc61891ed608d40b2ac06cf8d276b8bf6f864e70eda20c95a2b" +
	"44e6f38a566ff52b4d6acb3e6db2e827cabdf65195891057c5b698900104941a" +
	"bc9739571d28afc0a1ae21d7f1869b84cd0eb648db01457dd80a7be1de718287" +
	"0100000000000000" + "0000000000000000"

// mostCycles limits the cycles of the block: a tenth above the measured number.
const mostCycles = 6_200_000

func load(t *testing.T) (*program.Program, []byte) {
	t.Helper()
	file, err := os.ReadFile("block.elf")
	if err != nil {
		t.Fatal(err)
	}
	input, err := os.ReadFile("testdata/mainnet-23587691.bin")
	if err != nil {
		t.Fatal(err)
	}
	return riscvtest.Load(t, file), input
}

func run(t *testing.T, guest *program.Program, input []byte) (*emulator.Result, string) {
	t.Helper()
	var notes bytes.Buffer
	options := emulator.Options{Note: func(text []byte) { notes.Write(text) }}
	result, err := emulator.Run(t.Context(), guest, memory.Inputs{Private: input}, options)
	if err != nil {
		t.Fatal(err)
	}
	return result, notes.String()
}

// The built guest and everything that it was built of have the committed digests: after a change, the guest must be
// built again.
func TestDigest(t *testing.T) {
	for _, program := range []struct{ elf, kit string }{{"block.elf", ".."}, {"../rust/evm/evm.elf", "../.."}} {
		folder := filepath.Dir(program.elf)
		files := []string{filepath.Base(program.elf)}
		for _, root := range []string{program.kit + "/rust/chiasmus-guest", program.kit + "/rust/targets",
			program.kit + "/sdk/libzkvm.a", program.kit + "/zkvm.ld", "Cargo.lock", "Cargo.toml", "src"} {
			files = append(files, sources(t, folder, root)...)
		}
		var want strings.Builder
		for _, path := range files {
			file, err := os.ReadFile(filepath.Join(folder, path))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(file), path)
		}
		kept, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		have := strings.Split(string(kept), "\n")
		for i, line := range strings.Split(want.String(), "\n") {
			if i >= len(have) || have[i] != line {
				t.Fatalf("line %d of %s/SHA256SUMS is not %q: make guests-block builds %s and writes it", i+1, folder, line,
					program.elf)
			}
		}
	}
}

// sources lists the files of a file or folder, but not the crate's tests, in order. Paths are relative to a folder.
func sources(t *testing.T, folder, root string) (files []string) {
	top := filepath.Join(folder, root)
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && entry.Name() != "tests.rs" {
			files = append(files, root+strings.TrimPrefix(path, top))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// A block of mainnet is valid.
func TestMainnet(t *testing.T) {
	guest, input := load(t)
	result, notes := run(t, guest, input)
	if result.Exit != 0 || notes != "" {
		t.Fatalf("exit code %d: %s", result.Exit, notes)
	}
	if got := hex.EncodeToString(result.Output); got != output {
		t.Errorf("the guest states %s, want %s", got, output)
	}
	if result.Cycles > mostCycles {
		t.Errorf("%d cycles, want at most %d", result.Cycles, mostCycles)
	}
	t.Logf("%d cycles", result.Cycles)
}

// With another witness, body or header, the guest refuses the block with a message, and states nothing.
func TestMainnetRefused(t *testing.T) {
	guest, input := load(t)
	for words, change := range map[string]func(*witness.Block){
		"it lacks the node":           func(b *witness.Block) { b.Nodes = b.Nodes[:100] },
		"it lacks the node 0x0100000": func(b *witness.Block) { b.PreState = witness.Hash{1} },
		"it lacks the code":           func(b *witness.Block) { b.Codes = nil },
		"transactions' root":          func(b *witness.Block) { b.Transactions = b.Transactions[1:] },
		"withdrawals' root":           func(b *witness.Block) { b.Withdrawals = b.Withdrawals[:15] },
		"chain 5":                     func(b *witness.Block) { b.ChainID = 5 },
		"parent of header 0":          func(b *witness.Block) { b.Headers = append(b.Headers, b.Headers[0]) },
		"0 headers":                   func(b *witness.Block) { b.Headers = nil },
	} {
		b, err := witness.Decode(input)
		if err != nil {
			t.Fatal(err)
		}
		change(b)
		result, notes := run(t, guest, b.Encode())
		if result.Exit != 1 || len(result.Output) != 0 || !strings.Contains(notes, "refused: ") ||
			!strings.Contains(notes, words) {
			t.Errorf("%s: exit code %d, output %x, %q", words, result.Exit, result.Output, notes)
		}
	}
}
