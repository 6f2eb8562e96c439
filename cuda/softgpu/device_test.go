package softgpu_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
)

func bothDevices(t *testing.T, test func(t *testing.T, checked bool)) {
	t.Helper()
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprintf("checked %v", checked), func(t *testing.T) { test(t, checked) })
	}
}

func TestBuiltIns(t *testing.T) {
	bothDevices(t, func(t *testing.T, checked bool) {
		d, module := open(t, testdevice.Options{Seed: 3, Checked: checked})
		out := d.Put("out", make([]uint64, 6*64*4))
		d.Launch(d.Function(module, "chiasmus_built_ins"),
			cuda.Shape{Grid: cuda.Dim{X: 3, Y: 2}, Block: cuda.Dim{X: 64}, SharedBytes: 512}, cuda.Address(out.All()))
		for i, got := range slices.Collect(slices.Chunk(d.Get(out), 4)) {
			x := uint64(i % 64)
			first := x / 32 * 32
			var votes, sum, same uint64
			for lane := range uint64(32) {
				sum += first + lane
				if lane%3 == 0 {
					votes |= 1 << lane
				}
				if lane/3%5 == x%32/3%5 {
					same |= 1 << lane
				}
			}
			above, below := x+1, x-1
			if x%32 == 31 {
				above = x
			}
			if x%32 == 0 {
				below = x
			}
			want := []uint64{sum, votes | first<<32, above | below<<32, same<<32 | (63-x)*4 + 2}
			if !slices.Equal(got, want) {
				t.Fatalf("checked %v, thread %d: %v, want %v", checked, i, got, want)
			}
		}
	})
}

func TestAtomics(t *testing.T) {
	bothDevices(t, func(t *testing.T, checked bool) {
		d, module := open(t, testdevice.Options{Checked: checked})
		words := testdevice.Elements(4, 1000)
		in, out := d.Put("in", words), d.Put("out", []uint64{math.MaxUint64, 0, 0, 0})
		d.Launch(d.Function(module, "chiasmus_extremes"), cuda.Linear(500, 64), cuda.Address(out.All()),
			cuda.Address(in.All()), cuda.U64(uint64(len(words))))
		var sum, all uint64
		for _, w := range words {
			sum, _ = bits.Add64(sum, w, 0)
			all |= w
		}
		want := []uint64{slices.Min(words), slices.Max(words), sum, all}
		if got := d.Get(out); !slices.Equal(got, want) {
			t.Errorf("checked %v: %v, want %v", checked, got, want)
		}
	})
}

func TestConstantTable(t *testing.T) {
	bothDevices(t, func(t *testing.T, checked bool) {
		d, module := open(t, testdevice.Options{Checked: checked})
		table, err := module.Global("chiasmus_weights")
		if err != nil || table.Size() != 32 {
			t.Fatalf("%d bytes, %v", table.Size(), err)
		}
		words := []uint64{5, 6, 7, 8}
		if err := d.Stream.Copy(table, d.Put("weights", words).All()); err != nil {
			t.Fatal(err)
		}
		out := d.Put("out", make([]uint64, 4))
		d.Launch(d.Function(module, "chiasmus_weighted"), cuda.Linear(4, 32), cuda.Address(out.All()))
		if got := d.Get(out); !slices.Equal(got, []uint64{15, 18, 21, 24}) {
			t.Errorf("checked %v: %v", checked, got)
		}
	})
}

func TestWildAccessIsAnError(t *testing.T) {
	for kernel, want := range map[string]string{"chiasmus_wild": "illegal access: address 0x10",
		"chiasmus_deep_stack": "stack overflow"} {
		d, module := open(t, testdevice.Options{})
		out := d.Put("out", make([]uint64, 1))
		arguments := []cuda.Argument{cuda.Address(out.All())}
		if kernel == "chiasmus_deep_stack" {
			arguments = append(arguments, cuda.U64(1<<20))
		}
		d.Launch(d.Function(module, kernel), cuda.Linear(1, 32), arguments...)
		err := d.Stream.Synchronize()
		mustFind(t, err, "CUDA_ERROR_ILLEGAL_ADDRESS", want, kernel)
		// The context stays lost.
		if again := d.Context.Synchronize(); again == nil || d.Context.Lost() == nil {
			t.Error("the context works on after a fault")
		}
	}
	// A new context on the same device works.
	d, module := open(t, testdevice.Options{})
	out := d.Put("out", make([]uint64, 1))
	d.Launch(d.Function(module, "chiasmus_count_right"), cuda.Linear(100, 50), cuda.Address(out.All()))
	if got := d.Get(out); got[0] != 100 {
		t.Errorf("after the fault 100 threads count %d", got[0])
	}
}

// TestGoStillSeesItsOwnFaults checks that the device's fault handler passes Go's nil dereferences on to Go.
func TestGoStillSeesItsOwnFaults(t *testing.T) {
	open(t, testdevice.Options{})
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), "nil pointer") {
			t.Errorf("recovered %v", r)
		}
	}()
	var p *int
	*p = 1
}

// sink keeps reads from being optimised away.
var sink uint64

// touch runs a host access to pinned memory and returns the device's finding about it. debug.SetPanicOnFault turns the
// fault into a panic.
func touch(t *testing.T, d *testdevice.Device, access func()) string {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	faulted := func() (faulted bool) {
		defer func() { faulted = recover() != nil }()
		access()
		return false
	}()
	finding := d.Software.Finding()
	if faulted != (finding != "") {
		t.Errorf("faulted: %v, finding %q", faulted, finding)
	}
	return finding
}

func TestPlantedResultReadBeforeSynchronise(t *testing.T) {
	d, _ := open(t, testdevice.Options{Checked: true})
	buffer := d.Put("data", []uint64{7, 8})
	staging, err := d.Context.NewStaging("result", 16)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Stream.Download(staging.All(), buffer.All()); err != nil {
		t.Fatal(err)
	}
	if found := touch(t, d, func() {
		sink = staging.Words()[0]
	}); !strings.Contains(found, "result read before its synchronise") {
		t.Errorf("finding %q", found)
	}
	if err := d.Stream.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if found := touch(t, d, func() {
		if staging.Words()[1] != 8 {
			t.Errorf("downloaded %v", staging.Words())
		}
	}); found != "" {
		t.Errorf("after the synchronise: %q", found)
	}
	if err := staging.Close(); err != nil {
		t.Error(err)
	}
}

func TestPlantedStagingReusedBeforeItsUpload(t *testing.T) {
	d, _ := open(t, testdevice.Options{Checked: true})
	buffer := d.Take("data", 2)
	staging, err := d.Context.NewStaging("input", 16)
	if err != nil {
		t.Fatal(err)
	}
	copy(staging.Words(), []uint64{1, 2})
	event, err := d.Context.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Stream.Upload(buffer.All(), staging.All()), event.Record(d.Stream)); err != nil {
		t.Fatal(err)
	}
	if found := touch(t, d, func() { sink = staging.Words()[0] }); found != "" {
		t.Errorf("reading it is allowed, found %q", found)
	}
	if found := touch(t, d, func() {
		staging.Words()[0] = 9
	}); !strings.Contains(found, "staging reused before its upload") {
		t.Errorf("finding %q", found)
	}
	if err := event.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if found := touch(t, d, func() { staging.Words()[0] = 9 }); found != "" {
		t.Errorf("after the event: %q", found)
	}
	if got := d.Get(buffer); !slices.Equal(got, []uint64{1, 2}) {
		t.Errorf("uploaded %v", got)
	}
	if err := errors.Join(staging.Close(), event.Close()); err != nil {
		t.Error(err)
	}
}
