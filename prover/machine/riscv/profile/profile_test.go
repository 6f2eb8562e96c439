package profile_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/profile"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// profileOf runs a guest and returns its profile as written, and its cycles.
func profileOf(t *testing.T, guest string, in memory.Inputs) ([]byte, *pprof.Profile, uint64) {
	t.Helper()
	p := riscvtest.Load(t, riscvtest.Guest(t, guest))
	f := profile.New(p)
	result, err := emulator.Run(context.Background(), p, in,
		emulator.Options{Observe: func(c *emulator.Chunk) error { return replay.Visit(p, c, f.Add) }})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		t.Fatal(err)
	}
	parsed, err := pprof.ParseData(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), parsed, result.Cycles
}

// stack is a sample's functions, the outermost first.
func stack(s *pprof.Sample) string {
	var names []string
	for i := len(s.Location) - 1; i >= 0; i-- {
		names = append(names, s.Location[i].Line[0].Function.Name)
	}
	return strings.Join(names, " ")
}

// Every cycle is in one sample, and calls lead to the functions that the program's source names.
func TestProfileFollowsCalls(t *testing.T) {
	_, parsed, cycles := profileOf(t, "fib", memory.Inputs{Private: riscvtest.Numbers(1000)})
	total, at := int64(0), map[string]int64{}
	for _, s := range parsed.Sample {
		total += s.Value[0]
		at[stack(s)] += s.Value[0]
	}
	if total != int64(cycles) {
		t.Errorf("%d cycles in samples, %d in the run", total, cycles)
	}
	if n := at["_start zkvm_main main fib_loop"]; n != 2+5*1000+2 {
		t.Errorf("%d cycles in the loop, want 5004: %v", n, at)
	}
	for _, want := range []string{"_start", "_start zkvm_main", "_start zkvm_main main",
		"_start zkvm_main main write_output memcpy", "_start zkvm_main main read_input"} {
		if at[want] == 0 {
			t.Errorf("no cycle is in %q: %v", want, at)
		}
	}
}

// Recursion by function pointers keeps its stacks, and all returns are found.
func TestProfileOfRecursion(t *testing.T) {
	in := memory.Inputs{Private: riscvtest.Numbers(200, 7)}
	_, parsed, cycles := profileOf(t, "quicksort", in)
	total, deepest, compared := int64(0), 0, int64(0)
	for _, s := range parsed.Sample {
		total += s.Value[0]
		if s.Location[0].Line[0].Function.Name == "compare" {
			compared += s.Value[0]
		}
		if names := stack(s); !strings.HasPrefix(names, "_start") && names != "_exit" { // to which _start jumps
			t.Errorf("a stack does not begin at the start: %s", names)
		} else {
			deepest = max(deepest, strings.Count(names, "qsort"))
		}
	}
	if total != int64(cycles) || deepest < 1 {
		t.Errorf("%d cycles in samples, %d in the run; qsort is %d deep", total, cycles, deepest)
	}
	// All calls through the function's address are calls of the comparison, which always takes the same time. There are
	// more of them than the maximum depth of a profile.
	p := riscvtest.Load(t, riscvtest.Guest(t, "quicksort"))
	result, err := emulator.Run(context.Background(), p, in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := int64(0)
	for i, n := range result.Executed {
		if p.Code[i].Op == instruction.JALR {
			calls += int64(n)
		}
	}
	if calls < 1100 || compared == 0 || compared%calls != 0 {
		t.Errorf("%d cycles in %d comparisons", compared, calls)
	}
}

// A call to the next instruction is a call.
func TestCallOfTheNext(t *testing.T) {
	p := riscvtest.Load(t, riscvtest.ELF(0x10000, riscvtest.Segment{Address: 0x10000, Flags: riscvtest.RX,
		Data: riscvtest.Words(riscvtest.Encode(instruction.Instruction{Op: instruction.JAL, Rd: 1, Imm: 4}), 0x13)}))
	f := profile.New(p)
	f.Add(1, 10, nil)
	f.Add(2, 20, nil)
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		t.Fatal(err)
	}
	parsed, err := pprof.ParseData(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range parsed.Sample {
		if len(s.Location) == 2 && s.Value[0] == 1 && s.Value[1] == 20 {
			return
		}
	}
	t.Errorf("no sample has the call: %v", parsed)
}

// Calls of accelerators are attributed to their callers, and take neither cycles nor cells of their own.
func TestProfileCountsAccelerators(t *testing.T) {
	_, parsed, _ := profileOf(t, "hashes", memory.Inputs{Private: make([]byte, 2000)})
	calls := map[string]int64{}
	for _, s := range parsed.Sample {
		if s.Value[2] == 0 {
			continue
		}
		if s.Value[0] != 0 || s.Value[1] != 0 {
			t.Errorf("a call has cycles or cells: %s, %v", stack(s), s.Value)
		}
		names := strings.Fields(stack(s))
		calls[names[len(names)-2]+" "+names[len(names)-1]] += s.Value[2]
	}
	// 2000 bytes are 15 blocks of Keccak-256 with padding, and 32 of SHA-256.
	keccak, sha := int64(0), int64(0)
	for who, n := range calls {
		switch {
		case strings.HasPrefix(who, "zkvm_keccak256 "):
			keccak += n
		default:
			sha += n
		}
	}
	if keccak != 15 || sha != 32 {
		t.Errorf("calls by caller: %v, want 15 of Keccak-f and 32 of SHA-256", calls)
	}
}

// go tool pprof reads the profile.
func TestGoToolPprofReadsIt(t *testing.T) {
	file, _, _ := profileOf(t, "hashes", memory.Inputs{Private: make([]byte, 2000)})
	path := filepath.Join(t.TempDir(), "out.pb.gz")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"cycles": "zkvm_sha256", "cells": "zkvm_keccak256"} {
		out, err := exec.Command("go", "tool", "pprof", "-top", "-sample_index="+flag, path).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("go tool pprof of %s: %v\n%s", flag, err, out)
		}
	}
}
