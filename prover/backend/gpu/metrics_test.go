package gpu

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// grindProof is a proof for tests of metrics: a first stage that copies and a last that launches.
func grindProof(t *testing.T, c *proof) {
	t.Helper()
	err := c.stage(firstStage, func(scope *cuda.Scope) error {
		buffer, err := scope.Take("words", 4096)
		if err != nil {
			return err
		}
		if err := c.upload(buffer.All(), make([]uint64, 512)); err != nil {
			return err
		}
		_, err = c.download(buffer.All())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := grind(c); err != nil {
		t.Fatal(err)
	}
}

func TestReport(t *testing.T) {
	b := openBackend(t, Options{})
	if metrics, counters := b.Report(); len(metrics) != 0 || counters["kernel_launches"] != 0 {
		t.Errorf("before a proof: %v %v", metrics, counters)
	}
	program, shape := shapeOf(t, "fib", 32)
	c := begin(t, b, program.Fillers(), shape)
	var first map[string]uint64
	for range 2 { // the second proof's metrics do not include the first's
		grindProof(t, c)
		metrics, counters := b.Report()
		if counters["to_device_bytes"] != 4096 || counters["to_host_bytes"] < 4096 {
			t.Errorf("bytes each way: %v and %v, want 4096 up", counters["to_device_bytes"], counters["to_host_bytes"])
		}
		if counters["kernel_launches"] == 0 || counters["kernel_launches"] != counters["kernel_launches_grind"] ||
			counters["kernel_launches_trace"] != 0 {
			t.Errorf("launches: %v", counters)
		}
		if metrics["device_grind_seconds"] <= 0 || metrics["device_trace_seconds"] <= 0 {
			t.Errorf("stage times: %v", metrics)
		}
		if metrics["peak_device_bytes"] <= 0 || metrics["peak_device_bytes"] > metrics["predicted_peak_device_bytes"] {
			t.Errorf("peak %v, predicted %v", metrics["peak_device_bytes"], metrics["predicted_peak_device_bytes"])
		}
		if _, traced := metrics["device_busy_seconds"]; traced {
			t.Error("a proof that was not traced has a busy time")
		}
		if first == nil {
			first = counters
		} else if first["kernel_launches"] != counters["kernel_launches"] {
			t.Errorf("equal proofs launch %d and %d kernels", first["kernel_launches"], counters["kernel_launches"])
		}
	}
}

func TestTrace(t *testing.T) {
	b := openBackend(t, Options{})
	program, shape := shapeOf(t, "fib", 32)
	c := begin(t, b, program.Fillers(), shape)
	open := b.device.Context.OpenResources()
	grindProof(t, c) // takes the stages' timers
	timers := b.device.Context.OpenResources()
	for range 2 {
		before := time.Now()
		if err := b.StartTrace(); err != nil {
			t.Fatal(err)
		}
		if err := b.StartTrace(); err == nil {
			t.Error("two traces at once")
		}
		grindProof(t, c)
		intervals, err := b.StopTrace()
		if err != nil {
			t.Fatal(err)
		}
		after := time.Now()
		stages := map[string]int{}
		kernels, busy := uint64(0), time.Duration(0)
		for _, i := range intervals {
			stages[i.Stage]++
			busy += i.Took
			// The device's clock and the host's are related up to the time of one reading.
			const slack = 5 * time.Millisecond
			if i.Start.Before(before.Add(-slack)) || i.Start.Add(i.Took).After(after.Add(slack)) {
				t.Errorf("%s ran from %v for %v, outside the trace", i.Name, i.Start.Sub(before), i.Took)
			}
			if i.Track != "compute stream" {
				t.Errorf("%s ran on the %s", i.Name, i.Track)
			}
			if strings.HasPrefix(i.Name, "chiasmus_") {
				kernels++
			}
		}
		metrics, counters := b.Report()
		if stages["trace"] != 2 || stages["grind"] == 0 || kernels != counters["kernel_launches"] {
			t.Errorf("noted %v, %d kernels of %d", stages, kernels, counters["kernel_launches"])
		}
		if got := metrics["device_busy_seconds"]; got <= 0 || got > 1.001*busy.Seconds() ||
			got > after.Sub(before).Seconds() {
			t.Errorf("busy for %v s, intervals sum to %v", got, busy)
		}
	}
	if _, err := b.StopTrace(); err == nil {
		t.Error("a trace that does not run was stopped")
	}
	if now := b.device.Context.OpenResources(); now != timers || timers <= open {
		t.Errorf("%d resources are open, %d before the traces, %d before the first proof", now, timers, open)
	}
}

func TestFailedDistinguishesDevicesFromStatements(t *testing.T) {
	b := openBackend(t, Options{})
	for _, err := range []error{
		&cuda.Error{Result: driver.OutOfMemory}, &cuda.BudgetError{}, &backend.MemoryError{},
		errors.Join(errors.New("stage fold"), &cuda.Error{Result: driver.IllegalAddress}),
	} {
		if !b.Failed(err) {
			t.Errorf("%v is not taken for the device's", err)
		}
	}
	for _, err := range []error{backend.ErrLookupMiss, backend.ErrZeroDenominator, errors.New("a wrong witness")} {
		if b.Failed(err) {
			t.Errorf("%v is taken for the device's", err)
		}
	}
}

func TestAdmission(t *testing.T) {
	program, shape := shapeOf(t, "fib", 32)
	need, err := PredictPeak(program.Fillers(), shape)
	if err != nil {
		t.Fatal(err)
	}
	b := openBackend(t, Options{VRAM: need - 1})
	_, err = b.Open(program.Fillers(), shape.Params, backend.Budget{Reserve: shape.Instances})
	var memory *backend.MemoryError
	if !errors.As(err, &memory) || memory.NeedBytes != need || memory.HaveBytes != need-1 {
		t.Errorf("with a byte too little: %v", err)
	}
	if allocated := b.device.Context.Counters().AllocatedBytes; allocated != 0 {
		t.Errorf("%d bytes were allocated for a shape that does not fit", allocated)
	}
	b = openBackend(t, Options{VRAM: need})
	p := begin(t, b, program.Fillers(), shape)
	if have := p.resident.Budget() + p.arena.Budget(); have != need || b.device.Context.Counters().AllocatedBytes != need {
		t.Errorf("the arenas have %d bytes, %d are allocated, %d predicted", have,
			b.device.Context.Counters().AllocatedBytes, need)
	}
	if peak, err := p.openMachine.Peak(shape.Instances); err != nil || peak != need {
		t.Errorf("a peak of %d bytes, %v, want %d", peak, err, need)
	}
}

// Heights beyond the largest transform are refused before anything is computed, and the tallest are not.
func TestHeightsBeyondTransforms(t *testing.T) {
	program, shape := shapeOf(t, "fib", 32)
	p := openProver(t, openBackend(t, Options{}), program.Fillers(), shape.Params)
	most := kernels.MaxLogSize - shape.Params.LogBlowup
	tall, want := []circuit.Instance{{Table: 0, LogHeight: most + 1}}, fmt.Sprintf("2^%d rows", most+1)
	var height *backend.HeightError
	if _, err := p.Peak(tall); !errors.As(err, &height) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v", want, err)
	}
	if _, err := p.Begin(tall); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a proof of %s begins: %v", want, err)
	}
	tall[0].LogHeight = most
	var memory *backend.MemoryError
	if _, err := p.Peak(tall); err != nil && !errors.As(err, &memory) {
		t.Errorf("2^%d rows: %v", most, err)
	}
}

// Proofs of other heights use the existing arena, unless they need a larger one.
func TestHeightsFollowOneAnother(t *testing.T) {
	program, params := programOf(t, "fib"), testParams(t)
	b := openBackend(t, Options{})
	p := openProver(t, b, program.Fillers(),
		protocol.Layout{LogBlowup: params.LogBlowup, LogArity: params.LogArity, LogFinalLength: params.LogFinalLength,
			CapHeight: params.CapHeight})
	var budgets []uint64
	for _, logHeight := range []int{8, 6, 5, 9, 8} {
		begun, err := p.Begin([]circuit.Instance{{Table: 0, LogHeight: logHeight}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Begin([]circuit.Instance{{Table: 0, LogHeight: 5}}); !errors.Is(err, backend.ErrOrder) {
			t.Errorf("two proofs at once: %v", err)
		}
		begun.Close()
		budgets = append(budgets, p.arena.Budget())
	}
	if budgets[1] != budgets[0] || budgets[2] != budgets[0] || budgets[3] <= budgets[0] || budgets[4] != budgets[3] {
		t.Errorf("arenas of %v bytes for 2^8, 2^6, 2^5, 2^9 and 2^8 rows", budgets)
	}
}
