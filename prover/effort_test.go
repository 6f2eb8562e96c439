package prover_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// toured is a run in shards, with the options of a verifier that has the program, or only its id.
func toured(t *testing.T, shards int) (set []byte, byProgram, byID prover.VerifyOptions) {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	list, err := run.Shards(t.Context(), program, run.Input{Size: 100, Seed: 3, MinLogHeight: 5},
		run.Even(shards))
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), preset(t, "test"))
	if err != nil {
		t.Fatal(err)
	}
	p := shard.New(key, program.Fillers(), []backend.Backend{cpu.New(parallel.New(1))}, shard.Options{})
	made, _, err := p.Prove(t.Context(), run.Known(list[0].Public(), list...))
	if err := errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	if set, err = made.MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	id := [32]byte(key.ProgramID())
	byProgram = prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}
	byID = byProgram
	byID.ProgramID = &id
	return set, byProgram, byID
}

// asked is a context that counts calls of Err, and the goroutines that call it at a time. From a given call on it is
// cancelled.
type asked struct {
	context.Context
	cancelled    int64 // 0: never
	lasts        time.Duration
	count        atomic.Int64
	asking, most atomic.Int64
}

func (a *asked) Err() error {
	now := a.asking.Add(1)
	defer a.asking.Add(-1)
	for most := a.most.Load(); now > most && !a.most.CompareAndSwap(most, now); most = a.most.Load() {
	}
	time.Sleep(a.lasts)
	if n := a.count.Add(1); a.cancelled > 0 && n >= a.cancelled {
		return context.Canceled
	}
	return nil
}

// goroutines is the number of goroutines that this process has started.
func goroutines() uint64 {
	sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// claimedBy are proofs of all kinds.
func claimedBy(t *testing.T) map[string]struct {
	data    []byte
	options prover.VerifyOptions
} {
	t.Helper()
	fib := lookup(t, "fib")
	whole := proveInput(t, newProver(t, fib, preset(t, "test"), prover.Options{}), fib, []byte("1 2 64"))
	set, byProgram, byID := toured(t, 4)
	return map[string]struct {
		data    []byte
		options prover.VerifyOptions
	}{
		"whole":         {whole, prover.VerifyOptions{MinBits: prover.AnyBits}},
		"set":           {set, byProgram},
		"set, by an id": {set, byID},
	}
}

// When the context ends, so does the verification, with the context's error: no worker begins another step.
func TestCancelledVerification(t *testing.T) {
	for name, tc := range claimedBy(t) {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				tc.options.Workers = workers
				toTheEnd := &asked{Context: t.Context()}
				if _, err := prover.Verify(toTheEnd, tc.data, tc.options); err != nil {
					t.Fatal(err)
				}
				total := toTheEnd.count.Load()
				// A step is one of a proof's seven, or one of its trees: 4 shards have more than fifty.
				if least := map[bool]int64{true: 10, false: 50}[name == "whole"]; total < least {
					t.Errorf("the context is asked %d times, want at least %d", total, least)
				}
				for at := int64(1); at <= total; at += max(1, total/20) {
					ctx := &asked{Context: t.Context(), cancelled: at}
					result, err := prover.Verify(ctx, tc.data, tc.options)
					_, rejected := verify.RejectedBy(err)
					if result != nil || !errors.Is(err, context.Canceled) || rejected {
						t.Fatalf("cancelled at step %d of %d: %v, %v", at, total, result, err)
					}
					// Concurrent work checks the context once more each: a shard before its next step, a tree before it
					// opens.
					if after := ctx.count.Load() - at; after > 64 {
						t.Fatalf("cancelled at step %d of %d: %d questions more", at, total, after)
					}
				}
			})
		}
	}
}

// A context that has already ended does no work, and an expired deadline is reported.
func TestVerificationPastItsDeadline(t *testing.T) {
	set, _, byID := toured(t, 3)
	ctx, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	if _, err := prover.Verify(ctx, set, byID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline that is over: %v", err)
	}
}

// The verification uses at most the allowed number of goroutines for shards, trees, queries and the program's key. With
// one worker it uses only the caller's.
func TestWorkersOfAVerification(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for name, tc := range claimedBy(t) {
		t.Run(name, func(t *testing.T) {
			tc.options.Workers = 1
			least := uint64(math.MaxUint64) // the runtime may start goroutines of its own
			for range 3 {
				before := goroutines()
				if _, err := prover.Verify(t.Context(), tc.data, tc.options); err != nil {
					t.Fatal(err)
				}
				least = min(least, goroutines()-before)
			}
			if least != 0 {
				t.Errorf("one worker: %d goroutines were started", least)
			}
			for _, workers := range []int{1, 2, 3, 0} {
				tc.options.Workers = workers
				allowed := int64(workers)
				if workers == 0 {
					allowed = 8
				}
				// On a busy host it may take several attempts until two goroutines run at the same time.
				most := int64(0)
				for tries := 0; most < min(2, allowed) && tries < 200; tries++ {
					ctx := &asked{Context: t.Context(), lasts: 100 * time.Microsecond}
					if _, err := prover.Verify(ctx, tc.data, tc.options); err != nil {
						t.Fatal(err)
					}
					if most = ctx.most.Load(); most > allowed {
						t.Errorf("%d goroutines verify at a time, want at most %d", most, allowed)
					}
				}
				if most < min(2, allowed) {
					t.Errorf("one goroutine verifies where %d may", allowed)
				}
			}
		})
	}
}
