package main

import "fmt"

// operations counts what a device computes. A multiplication yields a reduced residue; a product is a summand of a sum
// that is reduced once; a point-level is one point of one level of a radix-2 transform.
type operations struct {
	Multiplications float64 `json:"multiplications,omitempty"`
	Additions       float64 `json:"additions,omitempty"`
	Products        float64 `json:"products,omitempty"`
	PointLevels     float64 `json:"point_levels,omitempty"`
	Permutations    float64 `json:"permutations,omitempty"` // Keccak-f[1600]
}

// work is the work of a kernel or a stage.
type work struct {
	Bytes      float64    `json:"bytes"` // read and written
	Operations operations `json:"operations"`
}

func (w *work) add(other work) {
	w.Bytes += other.Bytes
	w.Operations.Multiplications += other.Operations.Multiplications
	w.Operations.Additions += other.Operations.Additions
	w.Operations.Products += other.Operations.Products
	w.Operations.PointLevels += other.Operations.PointLevels
	w.Operations.Permutations += other.Operations.Permutations
}

// limits are a device's measured rates per second: bytes by copying, the others in registers.
type limits struct {
	Bytes           float64 `json:"copy_bytes_per_second"`
	Multiplications float64 `json:"multiplications_per_second"`
	Additions       float64 `json:"additions_per_second"`
	Products        float64 `json:"products_per_second"`
	PointLevels     float64 `json:"point_levels_per_second"`
	Permutations    float64 `json:"permutations_per_second"`
	LaunchSeconds   float64 `json:"launch_seconds"`
}

// limitBenchmarks are the benchmarks that measure the limits, with the units of their rates.
func (l *limits) benchmarks() []limitBenchmark {
	return []limitBenchmark{
		{"Copy", "GB/s", &l.Bytes},
		{"Limit/multiplications", "Gmultiplications/s", &l.Multiplications},
		{"Limit/additions", "Gadditions/s", &l.Additions},
		{"Limit/products", "Gproducts/s", &l.Products},
		{"Limit/transforms", "Gpointlevels/s", &l.PointLevels},
		{"Grind", "Gpermutations/s", &l.Permutations},
	}
}

type limitBenchmark struct {
	name, unit string
	rate       *float64
}

// findLimits extracts the limits from the benchmarks' results.
func findLimits(results []result) (*limits, error) {
	byName := map[string]result{}
	for _, r := range results {
		byName[r.name] = r
	}
	l := &limits{}
	for _, b := range l.benchmarks() {
		rate, ok := byName[b.name].metrics[b.unit]
		if !ok || rate <= 0 {
			return nil, fmt.Errorf("no limit: Benchmark%s of %s reported no %s", b.name, deviceBenchmarks, b.unit)
		}
		*b.rate = rate * 1e9
	}
	launch, ok := byName["Launch"].metrics[deviceTime]
	if !ok {
		return nil, fmt.Errorf("no limit: BenchmarkLaunch of %s reported no %s", deviceBenchmarks, deviceTime)
	}
	l.LaunchSeconds = launch / 1e3
	return l, nil
}

// share compares measured time with the limits.
type share struct {
	MemorySeconds     float64 `json:"memory_seconds"`     // of the bytes at copy bandwidth
	ArithmeticSeconds float64 `json:"arithmetic_seconds"` // of all operations at their rates, added up
	LimitSeconds      float64 `json:"limit_seconds"`      // the larger
	BoundBy           string  `json:"bound_by"`           // memory or arithmetic
	Fraction          float64 `json:"fraction_of_limit"`  // LimitSeconds over the time taken
}

// judge compares work with the time that it took. It returns nil if there are no limits, or if nothing was counted or
// timed. Times of different operations are added: all use the integer units, and a stage does them one after another.
func (l *limits) judge(w *work, seconds float64) *share {
	if l == nil || w == nil || seconds <= 0 {
		return nil
	}
	o := w.Operations
	s := &share{
		MemorySeconds: w.Bytes / l.Bytes,
		ArithmeticSeconds: o.Multiplications/l.Multiplications + o.Additions/l.Additions + o.Products/l.Products +
			o.PointLevels/l.PointLevels + o.Permutations/l.Permutations,
	}
	s.LimitSeconds, s.BoundBy = s.MemorySeconds, "memory"
	if s.ArithmeticSeconds > s.MemorySeconds {
		s.LimitSeconds, s.BoundBy = s.ArithmeticSeconds, "arithmetic"
	}
	if s.LimitSeconds == 0 {
		return nil
	}
	s.Fraction = s.LimitSeconds / seconds
	return s
}
