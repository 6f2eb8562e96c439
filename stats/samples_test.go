package stats

import (
	"slices"
	"strings"
	"testing"
)

// The files are what hyperfine 1.18 and Criterion 0.5 write, shortened.
const (
	hyperfineFile = `{"results":[{"command":"./base","mean":0.2,"stddev":0.01,"user":0.1,"times":[0.2,0.21,0.19],"exit_codes":[0,0,0]},
{"command":"./head","mean":0.1,"times":[0.1,0.11],"exit_codes":[0,0]}]}`
	criterionFile = `{"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,3000.0]}`
)

func TestReadSamples(t *testing.T) {
	list, err := ReadSamples([]byte(hyperfineFile), "h.json")
	if err != nil || len(list) != 2 || list[1].Name != "./head" ||
		!slices.Equal(list[0].Seconds, []float64{0.2, 0.21, 0.19}) {
		t.Errorf("%+v, %v", list, err)
	}
	for which, want := range map[string]string{"./head": "./head", "2": "./head", "1": "./base"} {
		if one, err := Pick(list, which, "h.json"); err != nil || one.Name != want {
			t.Errorf("%s: %+v, %v", which, one, err)
		}
	}
	if _, err := Pick(list, "3", "h.json"); err == nil ||
		!strings.Contains(err.Error(), `h.json: no result "3": it has "./base", "./head"`) {
		t.Errorf("%v", err)
	}
	list, err = ReadSamples([]byte(criterionFile), "sample.json")
	if err != nil || len(list) != 1 || !slices.Equal(list[0].Seconds, []float64{1e-7, 1.5e-7}) {
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
		if _, err := ReadSamples([]byte(text), "f.json"); err == nil || !strings.HasPrefix(err.Error(), "f.json: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestInTurn(t *testing.T) {
	pairs, warning := InTurn([]float64{1, 2, 3}, []float64{4, 5})
	if len(pairs) != 2 || pairs[1] != (Pair{Number: 2, A: 2, B: 5}) ||
		!strings.Contains(warning.String(), "a has 3 values and b 2, and the last 1 were left out") {
		t.Errorf("%+v, %s", pairs, warning)
	}
	if _, warning := InTurn([]float64{1}, []float64{2}); strings.Contains(warning.Text, "left out") ||
		warning.Kind != WarnNotInterleaved {
		t.Errorf("%s", warning)
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
