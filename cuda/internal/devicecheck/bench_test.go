package devicecheck

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// bench is a GPU with loaded kernels and memory filled with random elements.
type bench struct {
	*testdevice.Device
	set        *kernels.Set
	transforms *kernels.Transforms
	start, end *cuda.Event
}

func newBench(b *testing.B, budget uint64) *bench {
	b.Helper()
	if os.Getenv("CHIASMUS_DEVICE") != "gpu" {
		b.Skip("CHIASMUS_DEVICE=gpu is not set: the software device's times say nothing about kernels")
	}
	d := testdevice.Open(b, testdevice.Options{Budget: budget})
	set, err := kernels.Load(context.Background(), d.Context, d.Compiler, nil)
	check(b, err)
	b.Cleanup(func() { check(b, set.Close()) })
	transforms, err := kernels.NewTransforms(set, d.Stream, d.Scope, 7)
	check(b, err)
	start, err := d.Context.NewTimer()
	check(b, err)
	end, err := d.Context.NewTimer()
	check(b, err)
	b.Cleanup(func() { check(b, start.Close()); check(b, end.Close()) })
	return &bench{Device: d, set: set, transforms: transforms, start: start, end: end}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (x *bench) random(name string, words uint64) *cuda.Buffer {
	buffer := x.Take(name, int(words))
	f := x.Function(x.Load(kernels.Generated("random.cu", randomSource)), "chiasmus_random_elements")
	x.Launch(f, cuda.Linear(words/16, 256), cuda.Address(buffer.All()), cuda.U64(words), cuda.U64(words))
	return buffer
}

// measure reports the device time of work, from events around all of the benchmark's iterations, per iteration and
// per unit. It returns the milliseconds.
func (x *bench) measure(b *testing.B, units float64, unit string, work func() error) float64 {
	b.Helper()
	check(b, work())
	check(b, x.Stream.Synchronize())
	b.ResetTimer()
	check(b, x.start.Record(x.Stream))
	for range b.N {
		check(b, work())
	}
	check(b, x.end.Record(x.Stream))
	check(b, x.Stream.Synchronize())
	b.StopTimer()
	took, err := x.end.Since(x.start)
	check(b, err)
	milliseconds := took.Seconds() * 1e3 / float64(b.N)
	b.ReportMetric(milliseconds, "device-ms/op")
	b.ReportMetric(units/milliseconds/1e6, unit)
	return milliseconds
}

// bytes reports the rate of the bytes that the work must at least read and write, in addition to a rate of operations.
func bytes(b *testing.B, count uint64, milliseconds float64) {
	b.ReportMetric(float64(count)/milliseconds/1e6, "GB/s")
}

func columns(b *cuda.Buffer, height uint64, count uint32) kernels.Columns {
	return kernels.Columns{Span: b.All(), Stride: height, Count: count}
}

func BenchmarkForward(b *testing.B) {
	for _, c := range []struct {
		log   int
		count uint32
	}{{20, 16}, {22, 16}, {24, 16}} {
		b.Run(fmt.Sprintf("2^%dx%d", c.log, c.count), func(b *testing.B) {
			height := uint64(1) << c.log
			x := newBench(b, 2*height*8*uint64(c.count)+(16<<20))
			in := columns(x.random("in", height*uint64(c.count)), height, c.count)
			out := columns(x.Take("out", int(height)*int(c.count)), height, c.count)
			took := x.measure(b, float64(height)*float64(c.count)*float64(c.log), "Gpointlevels/s", func() error {
				return x.transforms.Forward(x.Stream, out, in, c.log)
			})
			bytes(b, 16*height*uint64(c.count), took)
		})
	}
}

func BenchmarkInterpolate(b *testing.B) {
	const log, count = 22, 24
	height := uint64(1) << log
	x := newBench(b, 2*height*8*count+(16<<20))
	in := columns(x.random("in", height*count), height, count)
	out := columns(x.Take("out", int(height)*count), height, count)
	took := x.measure(b, float64(height)*count*log, "Gpointlevels/s", func() error {
		return x.transforms.Interpolate(x.Stream, out, in, in, log, kernels.Natural, false)
	})
	bytes(b, 16*height*count, took)
}

func BenchmarkExtend(b *testing.B) {
	for _, c := range []struct {
		log, blowup int
		count       uint32
	}{{20, 2, 24}, {20, 2, 56}, {22, 1, 38}, {18, 1, 512}} {
		b.Run(fmt.Sprintf("2^%dto2^%dx%d", c.log, c.log+c.blowup, c.count), func(b *testing.B) {
			height := uint64(1) << c.log
			x := newBench(b, (height+height<<c.blowup)*8*uint64(c.count)+(16<<20))
			in := columns(x.random("in", height*uint64(c.count)), height, c.count)
			out := columns(x.Take("out", int(height)<<c.blowup*int(c.count)), height<<c.blowup, c.count)
			took := x.measure(b, float64(height<<c.blowup)*float64(c.count)*float64(c.log), "Gpointlevels/s", func() error {
				return x.transforms.Extend(x.Stream, out, in, c.log, c.blowup)
			})
			bytes(b, 8*(height+height<<c.blowup)*uint64(c.count), took)
		})
	}
}

// BenchmarkTree hashes rows and nodes with Keccak-256, whose blocks have 17 words, and with BLAKE3's compression,
// whose blocks have 8; and nodes alone.
func BenchmarkTree(b *testing.B) {
	for _, hash := range []string{"keccak", "blake3"} {
		for _, count := range []uint32{0, 24, 38, 170} {
			b.Run(fmt.Sprintf("%s/2^23x%d", hash, count), func(b *testing.B) { benchTree(b, hash, count) })
		}
	}
}

func benchTree(b *testing.B, hash string, count uint32) {
	const log = 23
	height := uint64(1) << log
	x := newBench(b, height*8*uint64(max(count, 4))+kernels.TreeBytes(log)+(16<<20))
	tree := kernels.Tree{Nodes: x.Take("tree", 8<<log).All(), LogHeight: log}
	leaves, err := tree.Layer(log)
	check(b, err)
	matrix := x.random("matrix", height*uint64(max(count, 4)))
	rows, nodes, blocks := x.set.HashRows, x.set.HashTree, count/17+1
	if hash == "blake3" {
		rows = func(stream *cuda.Stream, digests cuda.Span, segments []kernels.Segment, height uint64) error {
			return x.set.ChainRows(stream, kernels.Chain{Digests: digests, Segments: segments, Height: height})
		}
		nodes, blocks = x.set.CompressTree, (count+7)/8
	}
	if count == 0 {
		blocks = 0
		check(b, x.Stream.Copy(leaves, matrix.All()))
	}
	segments := []kernels.Segment{columns(matrix, height, count).Segment()}
	took := x.measure(b, float64(height)*float64(blocks+1), "Gpermutations/s", func() error {
		if count > 0 {
			if err := rows(x.Stream, leaves, segments, height); err != nil {
				return err
			}
		}
		return nodes(x.Stream, tree, nil)
	})
	bytes(b, 8*height*uint64(count)+2*32*height, took)
}

func BenchmarkInvertExtension(b *testing.B) {
	const n = 1 << 22
	x := newBench(b, 6*n*8+(16<<20))
	in := columns(x.random("in", 3*n), n, 3)
	out := columns(x.Take("out", 3*n), n, 3)
	zeros := x.Put("zeros", []uint64{0})
	// Inverting many elements with one inversion takes three multiplications each, of nine products.
	took := x.measure(b, 27*n, "Gproducts/s", func() error {
		return x.set.InvertExtension(x.Stream, out, in, n, zeros.All())
	})
	bytes(b, 48*n, took)
}

func BenchmarkGrind(b *testing.B) {
	x := newBench(b, 16<<20)
	word := x.Take("word", 1)
	f, err := x.set.Function("grind")
	check(b, err)
	const count = 1 << 24
	seed := make([]byte, 32)
	// A launch ends soon after some nonce passes. None is below 0, so all are tried.
	check(b, x.Stream.Fill(word.All(), 0xff))
	x.measure(b, count, "Gpermutations/s", func() error {
		return f.Launch(x.Stream, cuda.Linear(count/16, 128), cuda.Address(word.All()), cuda.Value(seed), cuda.U64(0),
			cuda.U64(0), cuda.U64(count))
	})
}

// BenchmarkCopy and BenchmarkLaunch measure the limits that the other benchmarks are compared with.
func BenchmarkCopy(b *testing.B) {
	const words = 1 << 28
	x := newBench(b, 2*words*8+(16<<20))
	in, out := x.random("in", words), x.Take("out", words)
	x.measure(b, 2*words*8, "GB/s", func() error { return x.Stream.Copy(out.All(), in.All()) })
}

func BenchmarkLaunch(b *testing.B) {
	x := newBench(b, 16<<20)
	out := x.Take("out", 1)
	f, err := x.set.Function("fill")
	check(b, err)
	x.measure(b, 1, "Glaunches/s", func() error {
		return f.Launch(x.Stream, cuda.Linear(1, 32), cuda.Address(out.All()), cuda.U64(1), cuda.U64(1))
	})
}
