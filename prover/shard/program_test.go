package shard_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// command runs the prover's command line on the CPU, and returns its output.
func command(t *testing.T, args ...string) (printed string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	backends := []cli.Backend{{Name: "cpu", Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return cpu.New(o.Pool), nil
	}}}
	if code := cli.Main(args, strings.NewReader(""), &stdout, &stderr, backends); code != 0 {
		t.Fatalf("prover %q: exit code %d, %s", args, code, &stderr)
	}
	return stdout.String() + stderr.String()
}

// A program that takes an input and calls accelerators, in shards, through all commands: proven, verified with only its
// id and by the second verifier, and inspected. Its statement equals a single proof's.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("commits to tables of 2^20 rows twice")
	}
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	guest := riscvtest.Guest(t, "hashes")
	must(t, os.WriteFile(file("elf"), guest, 0o600))
	must(t, os.WriteFile(file("input"), []byte("abc"), 0o600))
	command(t, "prove", "--elf", file("elf"), "--input", file("input"), "--shards", "2", "--params", "test",
		"--proof", file("proof"), "--output", file("output"), "--metrics", file("metrics"))
	data, err := os.ReadFile(file("proof"))
	must(t, err)

	program, err := riscv.New(guest)
	must(t, err)
	key, err := setup.NewKey(program.Machine(), testParams(t))
	must(t, err)
	id := [32]byte(key.ProgramID())
	result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits, ProgramID: &id})
	must(t, err)
	input := run.Input{Data: []byte("abc"), MinLogHeight: 8, Pool: parallel.New(0)}
	alone, err := run.Execute(context.Background(), program, input)
	must(t, err)
	want := circuit.ExactStatement(program, alone.Public(), result.Size)
	if n := len(result.Set.Shards); result.ExactStatement != want || n != 2 {
		t.Errorf("statement %x of %d shards, want %x", result.ExactStatement, n, want)
	}
	must(t, second(t, key, data).Verify(data))

	printed := command(t, "verify", file("proof"), "--elf", file("elf"), "--min-bits", "0",
		"--expect-output", file("output"))
	if !strings.Contains(printed, "\nshards      2\n") {
		t.Errorf("verify prints %s", printed)
	}
	printed = command(t, "inspect", file("proof"))
	if !strings.Contains(printed, "MB, 2^10 rows, of shard 0\n") || !strings.Contains(printed, "not verified") {
		t.Errorf("inspect prints %s", printed)
	}
	metrics, err := os.ReadFile(file("metrics"))
	must(t, err)
	if text := string(metrics); !strings.Contains(text, `"shards":2`) || !strings.Contains(text, `"devices":1`) {
		t.Errorf("metrics %s", text)
	}

	// If the first shard's boundary counted, or the last one's did not, nothing would cancel.
	swapped := &protocol.Set{Shards: []*protocol.Proof{result.Set.Shards[1], result.Set.Shards[0]}}
	if check, _ := verify.RejectedBy(verify.Set(swapped, key)); check != verify.CheckSums {
		t.Errorf("swapped shards are rejected by %q", check)
	}
}

// second is the second verifier of a program's proofs, with the parameters of a file.
func second(t *testing.T, key *protocol.Key, file []byte) *independent.Machine {
	t.Helper()
	rules, err := independent.RulesOf(statement.Name)
	must(t, err)
	rules.Params, rules.Program = file[12:20], independent.Digest(key.ProgramID())
	rules.FixedCap = func(byte, int, int) (nodes []independent.Digest, ok bool) {
		for _, node := range key.FixedCap {
			nodes = append(nodes, independent.Digest(node))
		}
		return nodes, true
	}
	m, err := independent.NewMachine(key.Machine.Canonical(), rules)
	must(t, err)
	return m
}
