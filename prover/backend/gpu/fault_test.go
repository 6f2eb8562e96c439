package gpu

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// On a GPU host: -recoverable-faults 1000 -faults fib:32,tour:40,keccak:1.
var (
	recoverableFaults = flag.Int("recoverable-faults", 300, "how many recoverable faults one backend must survive")
	faultCases        = flag.String("faults", "fib:32,tour:40",
		"MACHINE:SIZE of the proofs in which calls fail, separated by commas: all stages of fib, of others those that fib "+
			"lacks")
)

// calls are the kinds of calls that can fail in a stage.
var calls = []string{"alloc", "launch", "copy", "synchronize"}

// faulty is a device that fails as planned, with a prover on it and what it must prove.
type faulty struct {
	claim
	*Backend
	*prover.Prover
	faults    *cuda.FaultPlan
	execution machine.Execution
	want      []byte
}

func newFaulty(t *testing.T, c claim, checked bool) *faulty {
	t.Helper()
	f := &faulty{claim: c, want: c.onCPU(t), faults: cuda.NewFaultPlan()}
	execution, fillers, params := c.statement(t)
	f.execution, f.Backend = execution, openBackend(t, Options{Faults: f.faults, Checked: checked})
	var err error
	if f.Prover, err = prover.New(fillers, params, f.Backend, prover.Options{Encode: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Prover.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return f
}

// prove proves, and checks that a finished proof equals the CPU's.
func (f *faulty) prove(t *testing.T) error {
	t.Helper()
	proof, _, err := f.Prove(context.Background(), whole(f.execution), nil)
	if err != nil {
		if proof != nil {
			t.Error("an error came with a proof")
		}
		return err
	}
	if data, err := proof.MarshalBinary(); err != nil || !bytes.Equal(data, f.want) {
		t.Errorf("the proof is another than the CPU's (%v)", err)
	}
	return nil
}

// fail triggers the fault and checks the error. It reports whether there was such a call.
func (f *faulty) fail(t *testing.T, name string) bool {
	t.Helper()
	fault, err := cuda.ParseFault(name)
	if err != nil {
		t.Fatal(err)
	}
	if preparing(fault.Stage) { // which happens once
		if err := f.Prover.Close(); err != nil {
			t.Errorf("%s: closing before: %v", name, err)
		}
	}
	fired := f.faults.Fired()
	f.faults.Replace(fault)
	defer f.faults.Replace()
	err = f.prove(t)
	if f.faults.Fired() == fired {
		if err != nil {
			t.Errorf("%s did not happen, and yet: %v", name, err)
		}
		return false
	}
	if err == nil {
		t.Errorf("%s: a proof came out in spite of it", name)
		return true
	}
	if !strings.Contains(err.Error(), "in stage "+fault.Stage) ||
		!strings.Contains(err.Error(), "(injected fault)") || !f.Failed(err) {
		t.Errorf("%s: the error does not say where: %v", name, err)
	}
	return true
}

// preparing reports whether a stage comes before the first proof.
func preparing(stage string) bool {
	return stage == "prepare" || stage == "commit_keys" || stage == "begin"
}

// stages are the tested stages of the machine: all of fib, and of other machines those that fib lacks.
func (f *faulty) stages(t *testing.T) []string {
	_, m, _ := f.statement(t)
	stages := []string{"prepare", "begin"}
	for _, stage := range stagesOf(m.Machine) {
		stages = append(stages, string(stage))
	}
	if f.name != "fib" {
		return []string{"commit_keys", "trace", "count", "logup", "commit_auxiliary", "quotient"}
	}
	return stages
}

// faultClaims are the claims of the flag; in short mode only the first.
func faultClaims(t *testing.T) []claim {
	t.Helper()
	list := claims(t, *faultCases)
	if testing.Short() {
		return list[:1]
	}
	return list
}

// Makes each kind of call of each stage fail recoverably. The error names the call and the stage, there is no proof,
// and the backend still works.
func TestRecoverableFaultInEveryStage(t *testing.T) {
	for _, c := range faultClaims(t) {
		for _, checked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, checked arena %v", c.name, checked), func(t *testing.T) {
				f := newFaulty(t, c, checked)
				for _, stage := range f.stages(t) {
					for _, call := range calls {
						if checked != (call == "alloc") {
							continue // each buffer is a separate allocation only in checked mode; the rest is the same
						}
						for _, occurrence := range []int{1, 2} {
							name := fmt.Sprintf("%s/%s#%d=recoverable", stage, call, occurrence)
							happened := f.fail(t, name)
							if !happened && occurrence == 1 && mustHave(stage, call) {
								t.Errorf("stage %s has no %s call", stage, call)
							}
							if f.Lost() != nil {
								t.Fatalf("%s lost the device: %v", name, f.Lost())
							}
							if !happened {
								break
							}
						}
					}
				}
				if err := f.prove(t); err != nil {
					t.Errorf("in the end: %v", err)
				}
			})
		}
	}
}

// The same for permanent faults: the error says so, the backend is lost, and closing it does not call the driver.
func TestStickyFaultInEveryStage(t *testing.T) {
	for _, c := range faultClaims(t) {
		t.Run(c.name, func(t *testing.T) {
			for _, stage := range (&faulty{claim: c}).stages(t) {
				for _, call := range calls {
					name := fmt.Sprintf("%s/%s=sticky", stage, call)
					f := newFaulty(t, c, call == "alloc")
					if !f.fail(t, name) {
						continue
					}
					if f.Lost() == nil {
						t.Errorf("%s: the backend does not know that its device is lost", name)
					}
					if err := f.prove(t); err == nil || !f.Failed(err) {
						t.Errorf("%s: afterwards: %v", name, err)
					}
				}
			}
		})
	}
}

// mustHave reports whether the stage makes such calls in every proof.
func mustHave(stage, call string) bool {
	switch call {
	case "alloc":
		return stage != "prepare" // in checked mode each buffer is an allocation, and fib has no fixed columns
	case "launch":
		return stage != "prepare" // begin makes the points of the domain
	case "synchronize":
		return strings.HasPrefix(stage, "commit") || stage == "gather" || stage == "grind" || stage == "open"
	}
	return false
}

// A thousand recoverable faults of all kinds, at random places, leave nothing behind: no resource, no byte of the
// arena. Some proofs succeed, and equal the CPU's.
func TestRecoverableFaultsLeaveNothing(t *testing.T) {
	longtest.Only(t)
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprintf("checked arena %v", checked), func(t *testing.T) {
			number := *recoverableFaults / 2
			if testing.Short() {
				number /= 10
			}
			f := newFaulty(t, faultClaims(t)[0], checked)
			if err := f.prove(t); err != nil { // takes what is kept
				t.Fatal(err)
			}
			arena := f.device.Meter.Proving.(*openMachine).arena
			resources, used, allocated := f.device.Context.OpenResources(), arena.Used(),
				f.device.Context.Counters().AllocatedBytes
			f.faults.Replace(drawFaults(number, checked)...)
			failed, proofs := 0, 0
			for f.faults.Fired() < number {
				fired := f.faults.Fired()
				err := f.prove(t)
				if err == nil {
					proofs++
				} else {
					failed++
				}
				if err != nil && (f.faults.Fired() == fired || !f.Failed(err) || f.Lost() != nil) {
					t.Fatalf("after %d faults: %v, lost: %v", fired, err, f.Lost())
				}
				if now := f.device.Context.OpenResources(); now != resources || arena.Used() != used || f.device.Context.Counters().
					AllocatedBytes != allocated {
					t.Fatalf("after %d faults, the last %v: %d resources, %d bytes taken, %d allocated; before %d, %d, %d",
						f.faults.Fired(), err,
						now, arena.Used(), f.device.Context.Counters().AllocatedBytes, resources, used, allocated)
				}
			}
			t.Logf("%d faults, %d failed proofs, %d whole ones", f.faults.Fired(), failed, proofs)
			if proofs == 0 || failed < number/4 {
				t.Error("the faults do not fall where they should")
			}
		})
	}
}

// drawFaults plans recoverable faults of every kind. The gaps between two faults of a kind are random, up to about the
// number of calls in a proof.
func drawFaults(number int, checked bool) (faults []cuda.Fault) {
	source := rand.New(rand.NewPCG(1, 0x6661756c74))
	gaps := map[string]int{"alloc": 40, "launch": 50, "copy": 60, "synchronize": 25}
	at := map[string]int{}
	for len(faults) < number {
		call := calls[source.IntN(len(calls))]
		if call == "alloc" && !checked {
			continue // there is only one slab
		}
		at[call] += 1 + source.IntN(gaps[call])
		faults = append(faults, cuda.Fault{Call: call, Occurrence: at[call], Result: driver.OutOfMemory})
	}
	return faults
}
