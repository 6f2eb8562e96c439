package verifiertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// An echo replaces the aggregator if a test needs a proof of it. It is a program whose public output is its private
// input. With the echo's id as its own, the native aggregator accepts the echo's proofs, and the echo can write any
// output.
type echo struct {
	program *riscv.Program
	id      [32]byte
}

// newEcho returns the echo that ends with this exit code.
func newEcho(t testing.TB, exit int64) *echo {
	t.Helper()
	const in, out, words, word = 5, 6, 7, 8
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, in, 0, 0, 8) // the private input is at 2^31, the public output at 11 * 2^28
	p.Op(instruction.SLLI, in, in, 0, 28)
	p.Op(instruction.ADDI, out, 0, 0, 11)
	p.Op(instruction.SLLI, out, out, 0, 28)
	p.Op(instruction.LD, words, in, 0, 0)
	p.Op(instruction.ADDI, words, words, 0, 15)
	p.Op(instruction.SRLI, words, words, 0, 3)
	p.Op(instruction.LD, word, in, 0, 0)
	p.Op(instruction.SD, 0, out, word, 0)
	p.Op(instruction.ADDI, in, in, 0, 8)
	p.Op(instruction.ADDI, out, out, 0, 8)
	p.Op(instruction.ADDI, words, words, 0, -1)
	p.Op(instruction.BNE, 0, words, 0, -20)
	p.Op(instruction.ADDI, 10, 0, 0, exit)
	p.Op(instruction.ADDI, 17, 0, 0, 93)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	program, err := riscv.New(p.ELF(false))
	must(t, err)
	key, err := setup.NewKey(program.Machine(), testParams(t))
	must(t, err)
	return &echo{program, key.ProgramID()}
}

// proofs are finished proofs of echoes, by their output.
var (
	proofs = map[string][]byte{}
	making sync.Mutex
)

// prove proves that the echo wrote an output.
func (e *echo) prove(t testing.TB, output []byte) []byte {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	name := string(e.id[:]) + string(output)
	if proofs[name] == nil {
		params := testParams(t)
		params.MinLogHeight = 8
		proofs[name] = whole(t, "echo", e.program, params, run.Input{Data: output}).file
	}
	return proofs[name]
}

// echoing is an [aggregate.Prover]: it runs the native aggregator, and an echo repeats and proves the output.
type echoing struct {
	*echo
	t      testing.TB
	room   int                    // the longest input that fits; 0 for any
	larger int                    // the same with parameters number 1; 0 if there are none
	tall   bool                   // a longer input makes a table too tall, instead of exceeding the memory
	lanes  int                    // 0 means one
	calls  bool                   // what spares calls does not fit
	size   func(input []byte) int // predicted of its proof

	mu     sync.Mutex
	used   int      // number of the latest parameters
	proven []string // what was proven
	plans  []string // verdicts of plans
}

func (e *echoing) Parameters() int {
	if e.larger == 0 {
		return 1
	}
	return 2
}

func (e *echoing) Lanes() int { return max(e.lanes, 1) }

func (e *echoing) Plan(_ context.Context, _ int, input []byte) error {
	_, verdict := aggregated(e.t, input)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans = append(e.plans, verdict)
	if verdict != accepted {
		return errors.New(verdict)
	}
	return nil
}

func (e *echoing) Fits(_ context.Context, parameters int, input []byte) error {
	room := e.room
	if parameters == 1 {
		room = e.larger
	}
	if room > 0 && len(input) > room && e.tall {
		return &backend.HeightError{LogRows: 23, LogPoints: 27, MaxLogPoints: 26}
	}
	if room > 0 && len(input) > room || e.calls && sparesCalls(input) {
		return &backend.MemoryError{NeedBytes: uint64(len(input)), HaveBytes: uint64(room)}
	}
	return nil
}

// sparesCalls reports whether an input spares the calls for rows.
func sparesCalls(input []byte) bool { return input[32+2*8] == 1 }

func (e *echoing) Size(_ context.Context, _ int, input []byte) (int, error) {
	return e.size(input), nil
}

func (e *echoing) Prove(ctx context.Context, parameters int, what string, input []byte) ([]byte, error) {
	if err := e.Fits(ctx, parameters, input); err != nil {
		return nil, err
	}
	output, verdict := aggregated(e.t, input)
	if verdict != accepted {
		return nil, errors.New(verdict)
	}
	e.mu.Lock()
	e.used, e.proven = parameters, append(e.proven, what)
	e.mu.Unlock()
	return e.prove(e.t, output), nil
}

// builder aggregates by this echo.
func (e *echoing) builder() *aggregate.Builder { return &aggregate.Builder{Prover: e, ID: e.id} }

// options verify an echo's statement with proofs of any strength.
func (e *echo) options() aggregate.Options { return aggregate.Options{MinBits: -1, ID: &e.id} }

// aggregator is the path of the native aggregator, which accepts proofs of any strength.
var aggregator = sync.OnceValues(func() (string, error) {
	all, err := filepath.Glob("../*.c")
	if err != nil {
		return "", err
	}
	left := []string{"guest.c", "native.c", "library.c"}
	path := filepath.Join(build.folder, "aggregator")
	args := append([]string{"-o", path, "-I../../include", "-std=gnu11", "-DVERIFIER_ANY_BITS"}, sanitized[1:]...)
	for _, source := range all {
		if !slices.Contains(left, filepath.Base(source)) {
			args = append(args, source)
		}
	}
	args = append(args, "../machines/rv64im.c", "../../library/hash.c", "../../standard/program/native.c")
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return path, nil
})

// aggregated runs the native aggregator on a private input. It returns the public output and the verdict's name.
func aggregated(t testing.TB, input []byte) (output []byte, verdict string) {
	t.Helper()
	nativeVerifier(t) // makes the folder, or skips the test
	path, err := aggregator()
	must(t, err)
	command := exec.Command(path)
	var log strings.Builder
	command.Stdin, command.Stderr = bytes.NewReader(input), &log
	output, err = command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		code, sanitizer := failed.ExitCode(), strings.Contains(log.String(), "ERROR")
		if code > 0 && code < len(verdicts) && len(output) == 0 && !sanitizer {
			return nil, verdicts[code]
		}
		t.Fatalf("the native aggregator: %v\n%s", err, log.String())
	}
	must(t, err)
	return output, accepted
}
