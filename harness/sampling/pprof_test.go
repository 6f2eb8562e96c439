package sampling

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

func TestReadPprof(t *testing.T) {
	at := func(id uint64, names ...string) *profile.Location {
		l := &profile.Location{ID: id}
		for _, name := range names {
			l.Line = append(l.Line, profile.Line{Function: &profile.Function{ID: id*10 + uint64(len(l.Line)), Name: name}})
		}
		return l
	}
	outer, inner := at(1, "main.main"), at(2, "main.inlined", "main.hash")
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{inner, outer}, Value: []int64{3, 30_000_000}}},
		Location:   []*profile.Location{outer, inner},
	}
	for _, l := range p.Location {
		for _, line := range l.Line {
			p.Function = append(p.Function, line.Function)
		}
	}
	write := func() string {
		var out bytes.Buffer
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "cpu.pprof")
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := ReadPprof(write())
	if err != nil || len(got) != 1 || got[0].Samples != 3 || got[0].Seconds != 0.03 ||
		!slices.Equal(got[0].Frames, []string{"main.main", "main.hash", "main.inlined"}) {
		t.Errorf("%+v, %v", got, err)
	}
	p.SampleType[1].Unit = "bytes"
	if _, err := ReadPprof(write()); err == nil || !strings.Contains(err.Error(), "not a CPU profile") {
		t.Errorf("a profile of memory: %v", err)
	}
	if _, err := ReadPprof(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a profile that is not there is read")
	}
}
