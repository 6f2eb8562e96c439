package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample(t *testing.T, name string) []result {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	results, err := parseBenchmarks(file)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestParseBenchmarks(t *testing.T) {
	results := sample(t, "devicecheck.txt")
	if len(results) != 10 {
		t.Fatalf("%d results, want 10: %v", len(results), results)
	}
	want := result{"Dot/2^19x2315", map[string]float64{"ns/op": 4e6, deviceTime: 3.5, "Gproducts/s": 1040, "GB/s": 2774,
		"%-of-products": 49.78}}
	if diff := cmp.Diff(want, results[2], cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestParseBenchmarksRefuses(t *testing.T) {
	for _, tc := range []struct{ output, want string }{
		{"PASS\n", "no benchmark reported anything"},
		{"", "no benchmark reported anything"},
		{"BenchmarkA-8 10 5 ns/op\n--- FAIL: BenchmarkB-8\n", "line 2: --- FAIL: BenchmarkB-8"},
		{"panic: runtime error\n", "line 1: panic"},
		{"BenchmarkA-8 10 5\n", "line 1: "},
		{"BenchmarkA-8 ten 5 ns/op\n", "line 1: "},
		{"BenchmarkA-8 10 five ns/op\n", `line 1: "five" is not a number`},
	} {
		if _, err := parseBenchmarks(strings.NewReader(tc.output)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %q", tc.output, err, tc.want)
		}
	}
}

func TestFindLimits(t *testing.T) {
	results := sample(t, "devicecheck.txt")
	got, err := findLimits(results)
	if err != nil {
		t.Fatal(err)
	}
	want := &limits{Bytes: 4.25e12, Multiplications: 1.06e12, Additions: 3e12, Products: 2e12, PointLevels: 1.75e12,
		Permutations: 3.56e9, LaunchSeconds: 5.5e-6}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for i := 3; i < len(results); i++ {
		without := append(append([]result{}, results[:i]...), results[i+1:]...)
		if _, err := findLimits(without); err == nil || !strings.Contains(err.Error(), "Benchmark"+results[i].name) {
			t.Errorf("without %s: error %v, want one that names it", results[i].name, err)
		}
	}
}

func TestKernelsAgainstLimits(t *testing.T) {
	device := sample(t, "devicecheck.txt")
	l, err := findLimits(device)
	if err != nil {
		t.Fatal(err)
	}
	r := &report{Limits: l}
	for _, one := range device {
		if kernel, ok := deviceKernel(one); ok {
			r.addKernel(kernel)
		}
	}
	for _, one := range sample(t, "gpu.txt") {
		for _, kernel := range backendKernels(one) {
			r.addKernel(kernel)
		}
	}
	byName := map[string]kernelReport{}
	for _, k := range r.Kernels {
		byName[k.Name] = k
	}
	// A rate over its limit is the fraction, whatever the time.
	for _, tc := range []struct {
		name, boundBy string
		fraction      float64
	}{
		{"Forward/2^22x16", "arithmetic", 1018.0 / 1750},
		{"Tree/2^23x38", "arithmetic", 3.05 / 3.56},
		{"Dot/2^19x2315", "memory", 2774.0 / 4250},
		{"Copy", "memory", 1},
		{"Tables/keccak/fill_keccak-f", "memory", 2500.0 / 4250},
	} {
		k := byName[tc.name]
		if k.Limit == nil || k.Limit.BoundBy != tc.boundBy || math.Abs(k.Limit.Fraction-tc.fraction) > 1e-9 {
			t.Errorf("%s: %+v, want %s and %v", tc.name, k.Limit, tc.boundBy, tc.fraction)
		}
	}
	if k := byName["Quotient/quotient_keccak_keccak_f_0"]; k.Seconds != 1.25e-3 || k.Work != nil || k.Limit != nil {
		t.Errorf("a kernel of which only the time is known: %+v", k)
	}
	if len(byName) != len(device)+4 {
		t.Errorf("%d kernels, want %d", len(byName), len(device)+4)
	}
}

func TestJudge(t *testing.T) {
	l := &limits{Bytes: 10, Multiplications: 2, Additions: 4, Products: 8, PointLevels: 16, Permutations: 1}
	w := &work{Bytes: 20, Operations: operations{Multiplications: 2, Additions: 4, Products: 8,
		PointLevels: 16, Permutations: 1}}
	if s := l.judge(w, 10); s.MemorySeconds != 2 || s.ArithmeticSeconds != 5 || s.LimitSeconds != 5 ||
		s.BoundBy != "arithmetic" || s.Fraction != 0.5 {
		t.Errorf("%+v", s)
	}
	var none *limits
	for name, s := range map[string]*share{"no limits": none.judge(w, 1), "no work": l.judge(nil, 1),
		"no time": l.judge(w, 0), "nothing": l.judge(&work{}, 1)} {
		if s != nil {
			t.Errorf("%s: %+v, want nothing", name, s)
		}
	}
}
