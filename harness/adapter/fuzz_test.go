package adapter

import (
	"math"
	"testing"
)

// fuzz checks the properties of every accepted file: unique and printable names, and valid quantities.
func fuzz(f *testing.F, parse func(string, []byte) ([]Benchmark, error), seeds ...[]byte) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parse("fuzzed", text)
		if (err == nil) != (len(list) > 0) {
			t.Fatalf("%d benchmarks and the error %v", len(list), err)
		}
		seen := map[string]bool{}
		for _, b := range list {
			if checkName(b.Name) != nil || seen[b.Name] {
				t.Fatalf("the name %q", b.Name)
			}
			seen[b.Name] = true
			for name, value := range b.Metrics {
				if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
					t.Fatalf("%s: %s is %g", b.Name, name, value)
				}
			}
		}
		if len(FolderNames(keys(seen))) != len(seen) {
			t.Fatal("two benchmarks share a folder")
		}
	})
}

func keys(set map[string]bool) []string {
	var list []string
	for name := range set {
		list = append(list, name)
	}
	return list
}

func FuzzGo(f *testing.F) {
	fuzz(f, ParseGo, read(f, "gobench.txt"), []byte("BenchmarkA 1 1e300 ns/op\n"))
}
func FuzzPytest(f *testing.F)    { fuzz(f, ParsePytest, read(f, "pytest.json")) }
func FuzzHyperfine(f *testing.F) { fuzz(f, ParseHyperfine, read(f, "hyperfine.json")) }
func FuzzCriterion(f *testing.F) { fuzz(f, parseCriterion, read(f, "bencher.txt")) }
