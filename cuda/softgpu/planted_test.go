package softgpu_test

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/planted.cu
var planted string

func open(t *testing.T, options testdevice.Options) (*testdevice.Device, *cuda.Module) {
	t.Helper()
	options.Software = true
	d := testdevice.Open(t, options)
	return d, d.Load(kernels.Generated("planted.cu", planted))
}

func counting(n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = uint64(i)
	}
	return words
}

// mustFind requires that work failed on the checked device with an error that names the bug.
func mustFind(t *testing.T, err error, wants ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("nothing was found, want %q", wants)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if !cuda.IsSticky(err) {
		t.Errorf("%v is not sticky", err)
	}
}

func TestPlantedKernelFaults(t *testing.T) {
	type setup func(d *testdevice.Device) (shape cuda.Shape, arguments []cuda.Argument, out *cuda.Buffer)
	one := func(blocks, threads uint64) cuda.Shape {
		return cuda.Shape{Grid: cuda.Dim{X: blocks}, Block: cuda.Dim{X: threads}}
	}
	reverse := func(d *testdevice.Device) (cuda.Shape, []cuda.Argument, *cuda.Buffer) {
		in, out := d.Put("in", counting(256)), d.Take("out", 256)
		return one(1, 256), []cuda.Argument{cuda.Address(out.All()), cuda.Address(in.All())}, out
	}
	written := func(blocks, threads uint64, words int, more ...cuda.Argument) setup {
		return func(d *testdevice.Device) (cuda.Shape, []cuda.Argument, *cuda.Buffer) {
			out := d.Put("out", make([]uint64, words))
			return one(blocks, threads), append([]cuda.Argument{cuda.Address(out.All())}, more...), out
		}
	}
	copying := func(from, to uint64, inWords, outWords int) setup {
		return func(d *testdevice.Device) (cuda.Shape, []cuda.Argument, *cuda.Buffer) {
			in, out := d.Put("in", counting(inWords)), d.Put("out", make([]uint64, outWords))
			return one(1, 32), []cuda.Argument{cuda.Address(out.All()), cuda.Address(in.All()),
				cuda.U64(from), cuda.U64(to)}, out
		}
	}
	for _, c := range []struct {
		name, kernel string
		setup        setup
		finds        []string // empty: the kernel is correct
	}{
		{"barrier present", "reverse_right", reverse, nil},
		{"missing barrier", "reverse_without_barrier", reverse,
			[]string{"race: thread", "with no barrier between", "shared memory at planted.cu:"}},
		{"divergent barrier", "barrier_divergent", written(1, 256, 256),
			[]string{"divergent barrier", "planted.cu:19", "planted.cu:21"}},
		{"barrier after return", "barrier_after_return", written(1, 256, 256),
			[]string{"divergent barrier", "thread 77 has returned"}},
		{"atomic present", "count_right", written(4, 256, 1), nil},
		{"missing atomic", "count_without_atomic", written(1, 256, 1),
			[]string{"race: thread", "global memory", "planted.cu:33"}},
		{"blocks apart", "blocks_right", written(4, 32, 4), nil},
		{"two blocks one word", "blocks_one_word", written(4, 32, 4),
			[]string{"conflict between blocks", "of block", "planted.cu:40"}},
		{"within bounds", "copy_elements", copying(0, 100, 100, 100), nil},
		{"read one past", "copy_elements", copying(0, 101, 100, 101),
			[]string{"out of bounds read", "0 bytes past the end of a buffer of 800 bytes", "planted.cu:45"}},
		{"write one past", "copy_elements", copying(0, 101, 101, 100),
			[]string{"out of bounds write", "0 bytes past the end of a buffer of 800 bytes", "planted.cu:45"}},
		{"shared within", "shared_overrun", written(1, 32, 32, cuda.U32(0)), nil},
		{"shared overrun", "shared_overrun", written(1, 32, 32, cuda.U32(1)),
			[]string{"out of bounds write of shared memory"}},
		{"shared unwritten", "shared_unwritten", written(1, 32, 32),
			[]string{"unwritten read of shared memory", "thread 5:"}},
		{"warp barrier present", "warp_right", written(1, 64, 64), nil},
		{"missing warp barrier", "warp_without_barrier", written(1, 64, 64), []string{"race: thread"}},
		{"divergent shuffle", "shuffle_divergent", written(1, 32, 32), []string{"divergent warp operation"}},
		{"divergent product", "multiply_divergent", written(1, 32, 32), []string{"divergent warp operation"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, module := open(t, testdevice.Options{Seed: 5, Checked: true})
			shape, arguments, out := c.setup(d)
			d.Launch(d.Function(module, "chiasmus_"+c.kernel), shape, arguments...)
			_, err := d.TryGet(out)
			if len(c.finds) == 0 {
				if err != nil {
					t.Errorf("a false alarm: %v", err)
				}
				return
			}
			mustFind(t, err, append(c.finds, "chiasmus_"+c.kernel)...)
		})
	}
}

func TestPlantedUnwrittenRead(t *testing.T) {
	d, module := open(t, testdevice.Options{Checked: true})
	sum := d.Function(module, "chiasmus_sum_elements")
	in, out := d.Take("in", 8), d.Take("out", 1)
	part, err := in.Span(0, 56)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Stream.Fill(part, 0); err != nil {
		t.Fatal(err)
	}
	shape := cuda.Linear(1, 32)
	d.Launch(sum, shape, cuda.Address(out.All()), cuda.Address(in.All()), cuda.U64(7))
	if got := d.Get(out); got[0] != 0 {
		t.Errorf("sum of zeros: %d", got[0])
	}
	d.Launch(sum, shape, cuda.Address(out.All()), cuda.Address(in.All()), cuda.U64(8))
	_, err = d.TryGet(out)
	mustFind(t, err, "unwritten read of global memory", "byte 56 of a buffer of 64 bytes", "planted.cu:50")
}

func TestPlantedUnwrittenDownload(t *testing.T) {
	d, _ := open(t, testdevice.Options{Checked: true})
	_, err := d.TryGet(d.Take("never", 4))
	mustFind(t, err, "a download: unwritten read", "byte 0 of a buffer of 32 bytes")
}

func TestPlantedUseAfterFree(t *testing.T) {
	d, module := open(t, testdevice.Options{Checked: true})
	out := d.Put("out", make([]uint64, 4))
	address := uint64(out.All().Pointer())
	if err := d.Arena.Return(out); err != nil {
		t.Fatal(err)
	}
	f := d.Function(module, "chiasmus_blocks_right")
	// The arena rejects the buffer; a raw address bypasses the arena.
	if err := f.Launch(d.Stream, cuda.Shape{}, cuda.Address(out.All())); err == nil {
		t.Error("a returned buffer was launched with")
	}
	d.Launch(f, cuda.Shape{}, cuda.U64(address))
	mustFind(t, d.Stream.Synchronize(), "out of bounds write", "inside a buffer of 32 bytes that was freed")
}

func TestPlantedMissingEventWait(t *testing.T) {
	for _, waits := range []bool{true, false} {
		t.Run(fmt.Sprintf("waits %v", waits), func(t *testing.T) { eventWait(t, waits) })
	}
}

func eventWait(t *testing.T, waits bool) {
	d, module := open(t, testdevice.Options{Seed: 9, Checked: true})
	other, err := d.Context.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	event, err := d.Context.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	in, out := d.Put("in", counting(256)), d.Put("out", make([]uint64, 256))
	sums := d.Put("sums", make([]uint64, 1))
	d.Launch(d.Function(module, "chiasmus_reverse_right"), cuda.Linear(256, 256), cuda.Address(out.All()),
		cuda.Address(in.All()))
	err = event.Record(d.Stream)
	if waits {
		err = errors.Join(err, other.Wait(event))
	}
	sum := d.Function(module, "chiasmus_sum_elements")
	err = errors.Join(err, sum.Launch(other, cuda.Linear(1, 32), cuda.Address(sums.All()),
		cuda.Address(out.All()), cuda.U64(256)))
	if err != nil {
		t.Fatal(err)
	}
	failure := d.Context.Synchronize()
	if !waits {
		mustFind(t, failure, "missing event wait", "chiasmus_sum_elements", "chiasmus_reverse_right", "stream")
		return
	}
	if failure != nil {
		t.Errorf("a false alarm: %v", failure)
	}
	if err := errors.Join(event.Close(), other.Close()); err != nil {
		t.Error(err)
	}
}

// Atomics of two streams may overlap, an atomic and a plain write may not.
func TestAtomicsOfTwoStreams(t *testing.T) {
	for _, c := range []struct {
		kernel string
		finds  []string
	}{
		{"chiasmus_count_right", nil},
		{"chiasmus_count_without_atomic", []string{"missing event wait", "chiasmus_count_right", "stream"}},
	} {
		t.Run(c.kernel, func(t *testing.T) {
			d, module := open(t, testdevice.Options{Seed: 11, Checked: true})
			other, err := d.Context.NewStream()
			if err != nil {
				t.Fatal(err)
			}
			counter := d.Put("counter", make([]uint64, 1))
			d.Launch(d.Function(module, "chiasmus_count_right"), cuda.Linear(64, 64), cuda.Address(counter.All()))
			if err := d.Function(module, c.kernel).Launch(other, cuda.Linear(1, 1), cuda.Address(counter.All())); err != nil {
				t.Fatal(err)
			}
			failure := d.Context.Synchronize()
			if c.finds != nil {
				mustFind(t, failure, c.finds...)
				return
			}
			if failure != nil {
				t.Errorf("a false alarm: %v", failure)
			}
			if got := d.Get(counter); got[0] != 65 {
				t.Errorf("65 threads counted %d", got[0])
			}
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnorderedStreamsRunInOtherOrders(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(16) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { seen[sumOfRace(t, seed+1)] = true })
	}
	if !seen[0] || !seen[256] {
		t.Errorf("16 seeds gave the sums %v, want both 0 and 256", seen)
	}
}

// sumOfRace sums a buffer on one stream while another stream writes it, without synchronization.
func sumOfRace(t *testing.T, seed uint64) uint64 {
	d, module := open(t, testdevice.Options{Seed: seed})
	other, err := d.Context.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	out := d.Put("out", make([]uint64, 256))
	in := d.Put("in", slices.Repeat([]uint64{1}, 256))
	sums := d.Put("sums", make([]uint64, 1))
	d.Launch(d.Function(module, "chiasmus_reverse_right"), cuda.Linear(256, 256), cuda.Address(out.All()),
		cuda.Address(in.All()))
	sum := d.Function(module, "chiasmus_sum_elements")
	if err := sum.Launch(other, cuda.Linear(1, 32), cuda.Address(sums.All()), cuda.Address(out.All()),
		cuda.U64(256)); err != nil {
		t.Fatal(err)
	}
	if err := d.Context.Synchronize(); err != nil {
		t.Fatal(err)
	}
	total := d.Get(sums)[0]
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	return total
}
