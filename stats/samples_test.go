package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Abridged files written by hyperfine 1.18 and Criterion 0.5.
const (
	hyperfineFile = `{"results":[{"command":"./base","mean":0.2,"stddev":0.01,"user":0.1,"times":[0.2,0.21,0.19],"exit_codes":[0,0,0]},
{"command":"./head","mean":0.1,"times":[0.1,0.11],"exit_codes":[0,0]}]}`
	criterionFile = `{"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,3000.0]}`
)

func TestReadSamples(t *testing.T) {
	list, err := ReadSamples([]byte(hyperfineFile), "h.json", "")
	if err != nil || len(list) != 2 || list[1].Name != "./head" ||
		!slices.Equal(list[0].Values, []float64{0.2, 0.21, 0.19}) {
		t.Errorf("%+v, %v", list, err)
	}
	for which, want := range map[string]string{"./head": "./head", "2": "./head", "1": "./base"} {
		if one, err := Pick(list, which, "h.json"); err != nil || one.Name != want {
			t.Errorf("%s: %+v, %v", which, one, err)
		}
	}
	if _, err := Pick(list, "3", "h.json"); err == nil ||
		!strings.Contains(err.Error(), `h.json: no result "3": want "./base", "./head"`) {
		t.Errorf("%v", err)
	}
	list, err = ReadSamples([]byte(criterionFile), "sample.json", "")
	if err != nil || len(list) != 1 || !slices.Equal(list[0].Values, []float64{1e-7, 1.5e-7}) {
		t.Errorf("%+v, %v", list, err)
	}
	for text, want := range map[string]string{
		`{"results":[{"command":"x","times":[]}]}`:   "result 1 (x) has no times",
		`{"results":[{"command":"x","times":[-1]}]}`: "time 1 is -1",
		`{"iters":[1],"times":[]}`:                   "neither hyperfine's",
		`{"iters":[0],"times":[1]}`:                  "time 1 is +Inf",
		`{}`:                                         "neither hyperfine's",
		`{`:                                          "unexpected end",
	} {
		if _, err := ReadSamples([]byte(text), "f.json", ""); err == nil || !strings.HasPrefix(err.Error(), "f.json: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestReadColumns(t *testing.T) {
	pairs, err := ReadColumns(strings.NewReader("run,old ms,new ms\nx,1,2\ny,3,4\n"), "f.csv", "old ms", "new ms")
	if err != nil || len(pairs) != 2 || pairs[1].A != 3 || pairs[1].B != 4 {
		t.Errorf("%+v, %v", pairs, err)
	}
	if _, err := ReadColumns(strings.NewReader("run,old,new\n"), "f.csv", "old", "newer"); err == nil ||
		!strings.Contains(err.Error(), `f.csv: line 1: no column "newer"`) {
		t.Errorf("%v", err)
	}
}

const benchmarkFile = `goos: linux
goarch: amd64
BenchmarkHash-8   	     100	  12345 ns/op	  81.00 MB/s	     16 B/op	       2 allocs/op
BenchmarkHash/long-8 	   10	 2000000 ns/op
BenchmarkHash-8   	     100	  12000 ns/op	  83.00 MB/s	     16 B/op	       2 allocs/op
PASS
ok  	example.org/x	1.2s
`

func TestReadBenchmarks(t *testing.T) {
	list, err := ReadSamples([]byte(benchmarkFile), "new.txt", "")
	if err != nil || len(list) != 2 || list[0].Name != "BenchmarkHash-8" || list[0].Unit != "seconds" ||
		list[1].Name != "BenchmarkHash/long-8" {
		t.Fatalf("%+v, %v", list, err)
	}
	if v := list[0].Values; len(v) != 2 || math.Abs(v[0]-12345e-9) > 1e-18 || math.Abs(v[1]-12e-6) > 1e-18 {
		t.Errorf("%v", v)
	}
	list, err = ReadSamples([]byte(benchmarkFile), "new.txt", "B/op")
	if err != nil || len(list) != 1 || list[0].Unit != "B/op" || !slices.Equal(list[0].Values, []float64{16, 16}) {
		t.Errorf("%+v, %v", list, err)
	}
	for text, want := range map[string]string{
		strings.ReplaceAll(benchmarkFile, "12000", "fast"): `new.txt: line 5: "fast" is not a number`,
		strings.ReplaceAll(benchmarkFile, "ns/op", "s/op"): `no benchmark has the unit "ns/op": they have s/op, MB/s`,
	} {
		if _, err := ReadSamples([]byte(text), "new.txt", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ReadSamples([]byte(criterionFile), "x", "B/op"); err == nil {
		t.Error("a unit of Criterion's times")
	}
	if IsBenchmark([]byte("a,b\n1,2\n")) || IsBenchmark([]byte(hyperfineFile)) || !IsBenchmark([]byte(benchmarkFile)) {
		t.Error("a benchmark's output is not recognized")
	}
}
