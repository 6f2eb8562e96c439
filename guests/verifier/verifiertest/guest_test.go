package verifiertest

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/profile"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

var update = flag.Bool("update", false, "write the costs of a verification anew")

// guestVerifier builds the verifier as a guest. Flags are the compiler's.
func guestVerifier(t *testing.T, flags ...string) *program.Program {
	t.Helper()
	args := append([]string{"--no-files", "-DVERIFIER_GUEST", "-Werror", "../machines/rv64im.c"}, flags...)
	return guestOf(t, append(args, sources(t, "native.c", "aggregate.c", "aggregator.c", "library.c")...)...)
}

// guestOf builds a guest. Arguments are those of guests/cc.
func guestOf(t *testing.T, args ...string) *program.Program {
	t.Helper()
	text, err := os.ReadFile(guestFile(t, args...))
	must(t, err)
	return riscvtest.Load(t, text)
}

// guestFile builds a guest like guestOf, and returns the path of its ELF.
func guestFile(t testing.TB, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("riscv64-unknown-elf-gcc"); err != nil && os.Getenv("CI") == "" {
		t.Skip("needs riscv64-unknown-elf-gcc")
	}
	elf := filepath.Join(t.TempDir(), "verifier.elf")
	if out, err := exec.Command("../../cc", append(args, "-o", elf)...).CombinedOutput(); err != nil {
		t.Fatalf("guests/cc: %v\n%s", err, out)
	}
	return elf
}

// emulated executes the guest on a file. It returns the result and the profile.
func emulated(t *testing.T, guest *program.Program, file []byte) (*emulator.Result, *pprof.Profile) {
	t.Helper()
	profiled := profile.New(guest)
	result, err := emulator.Run(t.Context(), guest, memory.Inputs{Private: file}, emulator.Options{
		Observe: func(c *emulator.Chunk) error { return replay.Visit(guest, c, profiled.Add) },
	})
	must(t, err)
	var text bytes.Buffer
	must(t, profiled.Write(&text))
	parsed, err := pprof.ParseData(text.Bytes())
	must(t, err)
	return result, parsed
}

// stated is the guest's public output for a proof: see guests/verifier/guest.c.
func stated(t *testing.T, s *subject) []byte {
	t.Helper()
	proof, _, err := verify.Decode(s.file)
	must(t, err)
	values, id := proof.Public.Values, s.id()
	text := append(slices.Clone(id[:]), proof.Program.Image[:]...)
	text = binary.LittleEndian.AppendUint64(text, uint64(values[0])|uint64(values[1])<<32)
	return binary.LittleEndian.AppendUint64(text, uint64(values[2]))
}

// As a guest the verifier accepts a proof and states what the proof states. It refuses a changed proof and ends with
// the verdict's number. Costs are pinned: they may grow by less than 1 %.
func TestGuest(t *testing.T) {
	s := cached(t, "rv64im-3")
	guest := guestVerifier(t, "-DVERIFIER_ANY_BITS")
	result, profiled := emulated(t, guest, s.file)
	if want := stated(t, s); result.Exit != 0 || len(result.Output) != 144 || !bytes.HasPrefix(result.Output, want) {
		t.Errorf("exit code %d, output %x, want 0 and 144 bytes from %x on", result.Exit, result.Output, want)
	}
	checkCosts(t, "rv64im-3", costs(profiled))

	checkRefused(t, guest, s)
	if result, _ := emulated(t, guestVerifier(t), s.file); verdicts[result.Exit] != "VERIFIER_SECURITY" {
		t.Errorf("a proof with test parameters: verdict %s, want VERIFIER_SECURITY", verdicts[result.Exit])
	}
}

// The verifier as built for use accepts a proof of 128 bits: of 65,168 cycles, with the preset small.
func TestGuestOnSmallProof(t *testing.T) {
	longtest.Only(t)
	preset, err := protocol.PresetByName("small")
	must(t, err)
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	must(t, err)
	input := run.Input{Data: riscvtest.Numbers(13000), Aim: preset.Aim}
	s := whole(t, "fib, small", program, preset.Params, input)
	guest := guestVerifier(t)
	result, profiled := emulated(t, guest, s.file)
	if want := stated(t, s); result.Exit != 0 || !bytes.HasPrefix(result.Output, want) {
		t.Errorf("verdict %s, output %x, want VERIFIER_OK and %x first", verdicts[result.Exit], result.Output, want)
	}
	checkRefused(t, guest, s)
	checkCosts(t, "fib-small", costs(profiled))
}

// checkRefused requires that the guest refuses a changed proof and writes nothing.
func checkRefused(t *testing.T, guest *program.Program, s *subject) {
	t.Helper()
	var proof protocol.Proof
	must(t, proof.UnmarshalBinary(s.file))
	proof.Openings[protocol.Main][0].Current[0][0] ^= 1
	file, err := proof.MarshalBinary()
	must(t, err)
	result, _ := emulated(t, guest, file)
	if verdicts[result.Exit] != "VERIFIER_QUOTIENT" || len(result.Output) != 0 {
		t.Errorf("a changed proof: verdict %s, %d bytes of output, want VERIFIER_QUOTIENT and none", verdicts[result.Exit],
			len(result.Output))
	}
}

// verdicts are the names of enum verifier_error.
var verdicts = readVerdicts()

func readVerdicts() (names []string) {
	text, err := os.ReadFile("../verifier.h")
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if name, rest, found := strings.Cut(strings.TrimPrefix(line, "    X("), ", "); found && rest != line &&
			strings.HasPrefix(line, "    X(") {
			names = append(names, name)
		}
	}
	return names
}

// cost is the cost of one part of a verification.
type cost struct{ cycles, cells int64 }

// parts of a verification, by functions: a sample belongs to the first part that has one of its functions. So hashing
// is all hashing, wherever it is called, except that of opened rows, which is inlined.
var parts = []struct {
	name      string
	functions []string
}{
	{"hashing", []string{"hash_compress", "hash_node", "chain_flush"}},
	{"opened rows", []string{"hash_rows"}}, // with their hashing, which is inlined
	{"DEEP", []string{"evaluate_class"}},
	{"constraints", []string{"check_constraints"}},
	{"FRI folding", []string{"check_folds"}},
	{"transcript", []string{"transcript_whole", "transcript_rest", "transcript_positions"}},
	{"trees", []string{"check_trees", "group_positions"}},
	{"security", []string{"has_proven_bits"}},
	{"rest", nil},
}

func costs(p *pprof.Profile) map[string]cost {
	total := map[string]cost{}
	for _, sample := range p.Sample {
		name := partOf(sample)
		c := total[name]
		c.cycles += sample.Value[0]
		c.cells += sample.Value[1]
		total[name] = c
	}
	return total
}

func partOf(sample *pprof.Sample) string {
	for _, part := range parts {
		for _, location := range sample.Location {
			for _, line := range location.Line {
				base, _, _ := strings.Cut(line.Function.Name, ".")
				if slices.Contains(part.functions, base) {
					return part.name
				}
			}
		}
	}
	return "rest"
}

// checkCosts compares with testdata: cycles and cells of each part may grow by less than 1 %.
func checkCosts(t *testing.T, name string, have map[string]cost) {
	t.Helper()
	pin.Test(t)
	var text strings.Builder
	var all cost
	for _, part := range parts {
		c := have[part.name]
		fmt.Fprintf(&text, "%-12s %10d cycles %11d cells\n", part.name, c.cycles, c.cells)
		all.cycles, all.cells = all.cycles+c.cycles, all.cells+c.cells
	}
	fmt.Fprintf(&text, "%-12s %10d cycles %11d cells\n", "all", all.cycles, all.cells)
	path := filepath.Join("testdata", name+".costs")
	if *update {
		must(t, os.WriteFile(path, []byte(text.String()), 0o644))
	}
	pinned, err := os.ReadFile(path)
	must(t, err)
	have["all"] = all
	for _, line := range strings.Split(strings.TrimSpace(string(pinned)), "\n") {
		var most cost
		_, err := fmt.Sscanf(line[12:], "%d cycles %d cells", &most.cycles, &most.cells)
		must(t, err)
		part := strings.TrimSpace(line[:12])
		if c := have[part]; c.cycles*100 > most.cycles*101 || c.cells*100 > most.cells*101 {
			t.Errorf("%s, %s: %d cycles and %d cells, want at most 1 %% above %d and %d: make it cheaper, or -update",
				name, part, c.cycles, c.cells, most.cycles, most.cells)
		}
	}
}
