package adapter

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// want lists the expected benchmarks, read by hand from the recorded files.
func want(t *testing.T, got []Benchmark, err error, wanted map[string]map[string]float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(wanted) {
		t.Errorf("%d benchmarks, want %d: %v", len(got), len(wanted), got)
	}
	for _, b := range got {
		metrics, ok := wanted[b.Name]
		if !ok {
			t.Errorf("the benchmark %q is not in the file", b.Name)
		}
		for name, value := range metrics {
			if has, ok := b.Metrics[name]; !ok || math.Abs(has-value) > 1e-9*value {
				t.Errorf("%s: %s is %g, want %g", b.Name, name, has, value)
			}
		}
	}
}

func TestGo(t *testing.T) {
	got, err := ParseGo("out.txt", read(t, "gobench.txt"))
	want(t, got, err, map[string]map[string]float64{
		"sums.Sum-2":           {Seconds: 51.12e-9, Bytes: 0, Allocations: 0},
		"sums.Sizes/n=10-2":    {Seconds: 3.290e-9, throughput: 24316.11e6, "terms_per_op": 10},
		"sums.Sizes/n=1000-2":  {Seconds: 382.1e-9},
		"sums.Logs-2":          {Seconds: 39.10e-9},
		"inner.Sum-2":          {Seconds: 0.7115e-9},
		"inner.Sizes/n=10-2":   {Seconds: 0.5955e-9},
		"inner.Sizes/n=1000-2": {Seconds: 1.141e-9},
		"inner.Logs-2":         {Seconds: 11.61e-9},
	})
}

func TestGoRepeatsAndPackages(t *testing.T) {
	text := "pkg: a.example/x/sums\nBenchmarkSum 10 1 ns/op\nBenchmarkSum 10 2 ns/op\nBenchmarkSum 10 6 ns/op\n" +
		"pkg: a.example/y/sums\nBenchmarkSum 10 5 ns/op 7 B/op\nBenchmarks of mine follow 1 2 3\nBenchmarkSum\n" +
		"Benchmarking 10 5 ns/op\nok a.example/y/sums 0.1s\n"
	got, err := ParseGo("out.txt", []byte(text))
	want(t, got, err, map[string]map[string]float64{
		"a.example/x/sums.Sum": {Seconds: 3e-9},
		"a.example/y/sums.Sum": {Seconds: 5e-9, Bytes: 7},
	})
}

func TestPytest(t *testing.T) {
	got, err := ParsePytest("out.json", read(t, "pytest.json"))
	want(t, got, err, map[string]map[string]float64{
		"test_sums.py::test_total":       {Seconds: 4.317000275477767e-06, meanSeconds: 4.765566431330679e-06},
		"test_sums.py::test_sizes[10]":   {},
		"test_sums.py::test_sizes[1000]": {},
	})
}

func TestHyperfine(t *testing.T) {
	got, err := ParseHyperfine("out.json", read(t, "hyperfine.json"))
	want(t, got, err, map[string]map[string]float64{
		"nap":  {Seconds: 0.011483328000000001, medianSeconds: 0.011516391, userSeconds: 0.001267, systemSeconds: 0},
		"true": {Seconds: 0.0009467756666666667},
	})
}

func TestHyperfineParameters(t *testing.T) {
	text := `{"results": [{"command": "sort", "mean": 1, "parameters": {"n": "10"}},
		{"command": "sort", "mean": 2, "parameters": {"n": "20"}}, {"command": "sort 30", "mean": 3, "parameters": {"n": "30"}}]}`
	got, err := ParseHyperfine("out.json", []byte(text))
	want(t, got, err, map[string]map[string]float64{"sort n=10": {Seconds: 1}, "sort n=20": {Seconds: 2},
		"sort 30": {Seconds: 3}})
}

func TestCriterion(t *testing.T) {
	got, err := ReadCriterion(filepath.Join("testdata", "criterion"), "out.txt", nil)
	want(t, got, err, criterionWanted)
}

func TestCriterionText(t *testing.T) {
	got, err := ReadCriterion(t.TempDir(), "out.txt", read(t, "bencher.txt"))
	want(t, got, err, bencherWanted)
	got, err = parseCriterion("out.txt", []byte("test tests::sum ... bench:   1,234.50 ns/iter (+/- 5)\n"+
		`{"reason":"benchmark-complete","id":"sum/10","typical":{"estimate":1.5,"unit":"us"},"mean":{"estimate":2,"unit":"us"}}`+
		"\n"+`{"reason":"group-complete","group_name":"sum"}`+"\n"))
	want(t, got, err, map[string]map[string]float64{"tests::sum": {Seconds: 1234.5e-9},
		"sum/10": {Seconds: 1.5e-6, meanSeconds: 2e-6}})
}

// Each file has one error. The message must name the file, the line and the error.
func TestRefused(t *testing.T) {
	text := func(parse func(string, []byte) ([]Benchmark, error), content string) error {
		_, err := parse("out", []byte(content))
		return err
	}
	long := strings.Repeat("x", mostName+1)
	for _, c := range []struct {
		name string
		err  error
		says string
	}{
		{"go: nothing", text(ParseGo, "PASS\nok a 1s\n"), "out: no benchmark results found"},
		{"go: a number", text(ParseGo, "PASS\nBenchmarkA 10 fast ns/op\n"), `out:2: BenchmarkA: "fast" is not a number`},
		{"go: pairs", text(ParseGo, "BenchmarkA 10 5 ns/op 3\n"), "out:1: BenchmarkA: want pairs"},
		{"go: below 0", text(ParseGo, "BenchmarkA 10 -5 ns/op\n"), "out:1: BenchmarkA: ns/op: -5e-09 is not a quantity"},
		{"go: twice", text(ParseGo, "BenchmarkA 10 5 ns/op 5 ns/op\n"), "out:1: BenchmarkA: ns/op appears twice on the line"},
		{"go: long", text(ParseGo, "Benchmark"+strings.ToUpper(long)+" 10 5 ns/op\n"), "out:1: benchmark name of 513 bytes"},
		{"pytest: cut off", text(ParsePytest, "{\n\"benchmarks\": [\n{\"fullname\": \"a\""), "out:3: the JSON is incomplete"},
		{"pytest: no JSON", text(ParsePytest, "{\n\"benchmarks\": [\n}"), "out:3:"},
		{"pytest: a list", text(ParsePytest, "[]"), `out:1: want a JSON object with "benchmarks"`},
		{"pytest: no key", text(ParsePytest, "{}"), `out:1: the object has no "benchmarks"`},
		{"pytest: none", text(ParsePytest, `{"benchmarks": []}`), "did any test use the fixture"},
		{"pytest: no median", text(ParsePytest, "{\"benchmarks\": [\n{\"fullname\": \"a\", \"stats\": {\"mean\": 1}}]}"),
			"out:2: benchmarks[0].stats.median: missing"},
		{"pytest: no name", text(ParsePytest, `{"benchmarks": [{"stats": {"median": 1}}]}`), "out:1: benchmark without"},
		{"pytest: twice", text(ParsePytest, "{\"benchmarks\": [{\"fullname\": \"a\", \"stats\": {\"median\": 1}},\n"+
			"{\"fullname\": \"a\", \"stats\": {\"median\": 1}}]}"), `out:2: benchmark "a" is already on line 1`},
		{"hyperfine: no mean", text(ParseHyperfine, `{"results": [{"command": "a"}]}`), "out:1: results[0].mean: missing"},
		{"hyperfine: below 0", text(ParseHyperfine, `{"results": [{"command": "a", "mean": -1}]}`), "mean: -1 is no"},
		{"criterion: none", text(parseCriterion, "running 0 tests\n"), "CRITERION_HOME"},
		{"criterion: unit", text(parseCriterion, `{"reason":"benchmark-complete","id":"a","typical":{"estimate":1,"unit":"h"}}`),
			`out:1: typical.unit "h": want ns, us, ms or s`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.says)
		}
	}
}

// An estimates.json without a name file next to it is refused, and so is a link out of the folder.
func TestCriterionFolderRefused(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "sum", "new")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(says string) {
		t.Helper()
		if _, err := ReadCriterion(dir, "out", nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	write("estimates.json", `{"mean": {"point_estimate": 5}}`)
	refused("benchmark.json")
	write("benchmark.json", "{\n\"full_id\": }")
	refused("line 2")
	write("benchmark.json", `{"full_id": "sum"}`)
	write("estimates.json", `{"median": {"point_estimate": 5}}`)
	refused("mean.point_estimate: missing")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(`{"full_id": "of somebody else"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	write("estimates.json", `{"mean": {"point_estimate": 5}}`)
	if err := os.Remove(filepath.Join(at, "benchmark.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(at, "benchmark.json")); err != nil {
		t.Fatal(err)
	}
	refused("not a regular file")
}

func TestFolderNames(t *testing.T) {
	names := []string{"sums.Sizes/n=10-2", "a b", "a/b", "A b", "../..", strings.Repeat("é", 3), strings.Repeat("x", 300)}
	folders := FolderNames(names)
	if got := folders[names[0]]; got != "sums.Sizes-n-10-2" {
		t.Errorf("%q", got)
	}
	seen := map[string]bool{}
	for name, folder := range folders {
		lower := strings.ToLower(folder)
		if seen[lower] || len(folder) > mostFolder+9 || strings.ContainsAny(folder, "/\\ ") || folder == "" {
			t.Errorf("the folder of %q is %q", name, folder)
		}
		seen[lower] = true
	}
}

// The contents of testdata/criterion and testdata/bencher.txt: three benchmarks of one crate.
var (
	criterionWanted = map[string]map[string]float64{
		"sum 1000":          {Seconds: 262.6295676373316e-9, meanSeconds: 256.6553030997643e-9},
		"sums/of/fold/64":   {Seconds: 18.723488215707135e-9, medianSeconds: 14.05128694680637e-9},
		"sums/of/fold/4096": {Seconds: 1449.1860368845103e-9},
	}
	bencherWanted = map[string]map[string]float64{
		"sum 1000":          {Seconds: 225e-9},
		"sums/of/fold/64":   {Seconds: 14e-9},
		"sums/of/fold/4096": {Seconds: 1282e-9},
	}
)
