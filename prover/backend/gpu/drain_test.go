package gpu

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// plan parses faults.
func plan(t testing.TB, texts ...string) *cuda.FaultPlan {
	t.Helper()
	var faults []cuda.Fault
	for _, text := range texts {
		fault, err := cuda.ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, fault)
	}
	return cuda.NewFaultPlan(faults...)
}

// grind runs the stage alone.
func grind(p *proof) error {
	return p.stage("grind", func(scope *cuda.Scope) error {
		_, err := (&queries{&friStage{proof: p}}).grind(scope, [32]byte{1}, 8)
		return err
	})
}

// giveUp closes everything.
func giveUp(p *proof) error {
	p.Close()
	return errors.Join(p.openMachine.Close(), p.backend.Shutdown())
}

// A recoverable failure keeps no resources, even if the wait after it fails too. If a wait fails again, the device is
// not used any more, because the memory still in use is unknown.
func TestDrain(t *testing.T) {
	program, shape := shapeOf(t, "fib", 32)

	b := openBackend(t, Options{Faults: plan(t, "grind/launch=recoverable", "grind/cuCtxSynchronize=recoverable")})
	c := begin(t, b, program.Fillers(), shape)
	used := c.arena.Used()
	err := grind(c)
	if err == nil || !strings.Contains(err.Error(),
		"cuLaunchKernel(chiasmus_grind) in stage grind: CUDA_ERROR_OUT_OF_MEMORY") || b.Lost() != nil || !b.Failed(err) {
		t.Errorf("%v, lost: %v", err, b.Lost())
	}
	if c.arena.Used() != used {
		t.Errorf("%d bytes are taken after a failure, %d before", c.arena.Used(), used)
	}
	if err := grind(c); err != nil {
		t.Errorf("after a recoverable failure: %v", err)
	}

	b = openBackend(t, Options{Faults: plan(t, "grind/launch=recoverable", "grind/cuCtxSynchronize=recoverable",
		"grind/cuCtxSynchronize=recoverable")})
	c = begin(t, b, program.Fillers(), shape)
	if err := grind(c); err == nil || b.Lost() == nil || !strings.Contains(b.Lost().Error(), "waiting for the device") {
		t.Errorf("two waits that fail: %v, lost: %v", err, b.Lost())
	}
	if err := grind(c); err == nil || !errors.Is(err, b.Lost()) {
		t.Errorf("after that: %v", err)
	}
	if err := giveUp(c); err != nil {
		t.Errorf("giving up: %v", err)
	}
}

func TestStickyFailureEndsTheBackend(t *testing.T) {
	program, shape := shapeOf(t, "fib", 32)
	b := openBackend(t, Options{Faults: plan(t, "grind/launch=sticky")})
	c := begin(t, b, program.Fillers(), shape)
	err := grind(c)
	if err == nil || !cuda.IsSticky(err) || b.Lost() == nil || !b.Failed(err) {
		t.Fatalf("%v, lost: %v", err, b.Lost())
	}
	if again := grind(c); again == nil || !strings.Contains(again.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS") {
		t.Errorf("the next call: %v", again)
	}
	if _, err := b.Open(program.Fillers(), shape.Params, backend.Budget{}); err == nil {
		t.Error("a lost device got ready again")
	}
	b.Report() // frees what it can
	if err := giveUp(c); err != nil {
		t.Errorf("giving up: %v", err)
	}
}

// Kernels that were compiled before stay loaded when another does not compile, and a second attempt loads no more.
func TestKernelThatDoesNotCompile(t *testing.T) {
	program, shape := shapeOf(t, "fib", 32)
	b := openBackend(t, Options{Device: Software,
		More: []compile.Unit{kernels.Generated("broken.cu", "KERNEL(broken)(u64 *out) { out[0] = no_such_name; }")}})
	var open [2]int
	for i := range open {
		_, err := b.Open(program.Fillers(), shape.Params, backend.Budget{})
		var failure *nvrtc.Error
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), "compiling broken.cu for ") ||
			!strings.Contains(err.Error(), "no_such_name") || !b.Failed(err) {
			t.Errorf("got %v", err)
		}
		open[i] = b.device.Context.OpenResources()
	}
	if open[0] != open[1] || b.Lost() != nil {
		t.Errorf("%d resources are open after the first attempt, %d after the second; lost: %v", open[0], open[1], b.Lost())
	}
}
