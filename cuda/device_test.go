package cuda_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// work is a small run through every kind of call: load, allocate, upload, launch, copy, download, synchronize.
func work(d *testdevice.Device, stage func(string)) (result uint64, err error) {
	scope := d.Arena.Scope("work")
	defer func() { err = errors.Join(err, scope.End()) }()
	stage("take")
	buffer, err := scope.Take("words", 8*64)
	if err != nil {
		return 0, err
	}
	staging, err := d.Context.NewStaging("words", 8*64)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Arena.Drain(), staging.Close()) }()
	unit, err := kernels.Unit("vector.cu")
	if err != nil {
		return 0, err
	}
	stage("load")
	module, err := d.Context.LoadModule(unit.Name, cubin(d))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Arena.Drain(), module.Close()) }()
	f, err := module.Function("chiasmus_vector_add")
	if err != nil {
		return 0, err
	}
	stage("run")
	for i := range staging.Words() {
		staging.Words()[i] = uint64(i)
	}
	err = errors.Join(
		d.Stream.Upload(buffer.All(), staging.All()),
		f.Launch(d.Stream, cuda.Linear(64, 32), cuda.Address(buffer.All()), cuda.Address(buffer.All()),
			cuda.Address(buffer.All()), cuda.U64(64)),
		d.Stream.Download(staging.All(), buffer.All()),
		d.Stream.Synchronize())
	if err != nil {
		return 0, err
	}
	return staging.Words()[63], nil
}

func cubin(d *testdevice.Device) []byte {
	d.T.Helper()
	unit, err := kernels.Unit("vector.cu")
	if err != nil {
		d.T.Fatal(err)
	}
	objects, err := d.Compiler.Build(d.T.Context(), d.Context.Device().Architecture, []compile.Unit{unit}, nil)
	if err != nil {
		d.T.Fatal(err)
	}
	return objects[0].Cubin
}

func TestDevicesAreDescribed(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	v := d.Context.Device()
	if v.Name == "" || v.UUID == "" || v.Architecture == "" || v.MemoryBytes == 0 || v.WarpSize != 32 ||
		v.MaxThreadsPerBlock < 1024 {
		t.Errorf("incomplete: %+v", v)
	}
	if err := v.Unfit(); err != nil {
		t.Error(err)
	}
	old := *v
	old.ComputeCapability = [2]int{7, 5}
	if err := old.Unfit(); err == nil || !strings.Contains(err.Error(), "7.5") || !strings.Contains(err.Error(), "8.0") {
		t.Errorf("a device of capability 7.5: %v", err)
	}
	if _, err := old.NewContext(); err == nil {
		t.Error("a context on a device that will not do")
	}
}

func TestWorkAndCounters(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{Checked: true})
	got, err := work(d, func(string) {})
	if err != nil || got != 126 {
		t.Fatalf("%d, %v, want 126", got, err)
	}
	c := d.Context.Counters()
	if c.Launches != 1 || c.BytesToDevice != 512 || c.BytesToHost != 512 || c.Synchronizes == 0 ||
		c.AllocatedBytes != 0 || c.PeakBytes != 512 {
		t.Errorf("counters %+v", c)
	}
}

// TestEveryFault makes each kind of call of each stage fail in turn, in both ways. Every failure must return an error
// that names the call, and a recoverable one must leave no resources behind.
func TestEveryFault(t *testing.T) {
	calls := map[string][]string{
		"take": {"alloc"},
		"load": {"load"},
		"run":  {"launch", "copy", "copy#2", "synchronize", "chiasmus_vector_add", "cuMemcpyDtoHAsync_v2"},
	}
	for stage, names := range calls {
		for _, name := range names {
			for _, kind := range []string{"recoverable", "sticky"} {
				text := fmt.Sprintf("%s/%s=%s", stage, name, kind)
				t.Run(text, func(t *testing.T) { oneFault(t, text, kind == "sticky") })
			}
		}
	}
}

func oneFault(t *testing.T, text string, sticky bool) {
	fault, err := cuda.ParseFault(text)
	if err != nil {
		t.Fatal(err)
	}
	plan := cuda.NewFaultPlan(fault)
	d := testdevice.Open(t, testdevice.Options{Faults: plan, Software: true, Budget: 1 << 20})
	open := d.Context.OpenResources()
	_, err = work(d, d.Context.SetStage)
	if plan.Fired() != 1 {
		t.Fatalf("%d faults fired", plan.Fired())
	}
	var failure *cuda.Error
	if !errors.As(err, &failure) || !failure.Injected || failure.Stage != fault.Stage {
		t.Fatalf("got %v", err)
	}
	if cuda.IsSticky(err) != sticky || (d.Context.Lost() != nil) != sticky {
		t.Errorf("sticky: %v, lost: %v", cuda.IsSticky(err), d.Context.Lost())
	}
	if sticky {
		if err := d.Context.Synchronize(); !cuda.IsSticky(err) {
			t.Errorf("a lost context synchronises: %v", err)
		}
		return
	}
	d.Context.SetStage("")
	if got := d.Context.OpenResources(); got != open {
		t.Errorf("%d resources open, %d before the fault", got, open)
	}
	if got, err := work(d, func(string) {}); err != nil || got != 126 {
		t.Errorf("after the fault: %d, %v", got, err)
	}
}

func TestNoLeakAfterAThousandRecoverableFaults(t *testing.T) {
	var faults []cuda.Fault
	for i := range 1000 {
		call := []string{"launch", "copy", "synchronize", "load", "cuMemHostAlloc"}[i%5]
		faults = append(faults, cuda.Fault{Stage: fmt.Sprint(i), Call: call, Occurrence: 1, Result: driver.OutOfMemory})
	}
	plan := cuda.NewFaultPlan(faults...)
	d := testdevice.Open(t, testdevice.Options{Faults: plan, Software: true, Budget: 1 << 20})
	open, used := d.Context.OpenResources(), d.Arena.Used()
	for i := range 1000 {
		d.Context.SetStage(fmt.Sprint(i))
		if _, err := work(d, func(string) {}); err == nil || cuda.IsSticky(err) {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	d.Context.SetStage("")
	if plan.Fired() != 1000 || d.Context.OpenResources() != open || d.Arena.Used() != used {
		t.Errorf("%d faults, %d resources open (%d before), %d bytes of the arena used (%d before)", plan.Fired(),
			d.Context.OpenResources(), open, d.Arena.Used(), used)
	}
	if got, err := work(d, func(string) {}); err != nil || got != 126 {
		t.Errorf("after all: %d, %v", got, err)
	}
}

func TestSpanOfAReturnedBufferIsRefused(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	b := d.Take("gone", 4)
	kept := b.All()
	if err := d.Arena.Return(b); err != nil {
		t.Fatal(err)
	}
	var lifetime *cuda.LifetimeError
	if err := d.Stream.Fill(kept, 0); !errors.As(err, &lifetime) || lifetime.Buffer != "gone" {
		t.Errorf("filling a returned buffer: %v", err)
	}
	planned := take(t, cuda.PlanArena(cuda.ArenaOptions{}).Scope("plan"), "planned", 8)
	if err := d.Stream.Fill(planned.All(), 0); err == nil || !strings.Contains(err.Error(), "without a device") {
		t.Errorf("filling a planned buffer: %v", err)
	}
}

func TestCopiesCheckSizesAndStaging(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	b := d.Take("b", 4)
	staging, err := d.Context.NewStaging("s", 40)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Stream.Upload(b.All(), staging.All()); err == nil ||
		!strings.Contains(err.Error(), "32 bytes on the device, 40") {
		t.Errorf("sizes that differ: %v", err)
	}
	if _, err := staging.Span(8, 33); err == nil {
		t.Error("a span past the staging memory")
	}
	part, err := staging.Span(8, 32)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Stream.Upload(b.All(), part), d.Stream.Synchronize(), staging.Close()); err != nil {
		t.Fatal(err)
	}
	if err := d.Stream.Upload(b.All(), part); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("closed staging: %v", err)
	}
}

func TestTimelineCoversAllWork(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	timeline, err := d.Context.NewTimeline(d.Stream)
	if err != nil {
		t.Fatal(err)
	}
	d.Context.SetTracer(timeline)
	d.Context.SetStage("one")
	if _, err := work(d, func(string) {}); err != nil {
		t.Fatal(err)
	}
	d.Context.SetStage("")
	intervals, err := timeline.Take()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range intervals {
		names = append(names, i.Name)
		if i.End < i.Start || i.Stage != "one" {
			t.Errorf("interval %+v", i)
		}
	}
	if want := []string{"upload words", "chiasmus_vector_add", "download words"}; !slices.Equal(names, want) {
		t.Errorf("traced %q, want %q", names, want)
	}
	if busy := cuda.Busy(intervals); busy <= 0 {
		t.Errorf("busy %v", busy)
	}
	d.Context.SetTracer(nil)
	if err := timeline.Close(); err != nil {
		t.Error(err)
	}
}

func TestUnboundThreadIsRefused(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // a thread of its own, which ends with the goroutine
		_, err := d.Context.NewStream()
		failed <- err
	}()
	var failure *cuda.Error
	if err := <-failed; !errors.As(err, &failure) || failure.Result != driver.InvalidContext {
		t.Errorf("a call from another thread: %v", err)
	}
}

func TestOutOfMemoryIsRecoverable(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	_, err := d.Context.Allocate("everything", 1<<50)
	if !cuda.IsOutOfMemory(err) || cuda.IsSticky(err) {
		t.Errorf("got %v", err)
	}
	if got, err := work(d, func(string) {}); err != nil || got != 126 {
		t.Errorf("after it: %d, %v", got, err)
	}
}

func TestClosingWithResourcesOpenIsAnError(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	other, err := d.Context.Device().NewContext()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Bind(); err != nil {
		t.Fatal(err)
	}
	if _, err := other.NewStream(); err != nil {
		t.Fatal(err)
	}
	other.Unbind()
	if err := other.Close(); err == nil || !strings.Contains(err.Error(), "1 resources still open") {
		t.Errorf("got %v", err)
	}
	if got, err := work(d, func(string) {}); err != nil || got != 126 {
		t.Errorf("the thread's own context after the other's: %d, %v", got, err)
	}
}

func BenchmarkLaunch(b *testing.B) {
	d := testdevice.Open(b, testdevice.Options{})
	unit, err := kernels.Unit("vector.cu")
	if err != nil {
		b.Fatal(err)
	}
	f := d.Function(d.Load(unit), "chiasmus_fill")
	out := d.Take("out", 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Launch(d.Stream, cuda.Linear(1, 32), cuda.Address(out.All()), cuda.U64(1), cuda.U64(1)); err != nil {
			b.Fatal(err)
		}
	}
}
