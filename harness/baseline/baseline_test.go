package baseline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// daysOf makes baselines of one build, one a day. The newest is ten hours old.
func daysOf(rev *plan.Revision, now time.Time, days int) (list []Baseline) {
	for day := range days {
		b := Baseline{
			Schema: Schema, Run: "run", Revision: rev.SHA, Workload: "w", Host: &environment.Snapshot{Hostname: "bench"},
			Setup: map[string]string{"the harness": "v1", "the toolchain": "go1"}, Build: rev.Identity(), Warmups: 1,
			Means: []float64{0, 0.001, 0.002}, Seconds: 1, Time: now.Add(-10*time.Hour).AddDate(0, 0, -day),
		}
		b.SHA256 = b.Sum()
		list = append(list, b)
	}
	return list
}

// The newest baseline of the build is used, with the shifts over at least its age. The error names every reason against
// a baseline.
func TestChooseBaseline(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	rev := &plan.Revision{SHA: "0123456789abcdef", Artifacts: []plan.Artifact{{Name: "p", SHA256: "1"}}}
	setup := map[string]string{"the harness": "v1", "the toolchain": "go1"}
	host := &environment.Snapshot{Hostname: "bench"}
	chosen, moves, why := Choose(daysOf(rev, now, 6), nil, rev, setup, host, now)
	if why != "" || chosen == nil || !chosen.Time.Equal(now.Add(-10*time.Hour)) || len(moves) != 5 {
		t.Fatalf("%+v, %d moves, %s", chosen, len(moves), why)
	}
	for want, change := range map[string]func(b *Baseline){
		"measured under other conditions: the harness was v0 and is v1": func(b *Baseline) {
			b.Setup = map[string]string{"the harness": "v0", "the toolchain": "go1"}
		},
		"measured under other conditions: the toolchain was missing and is go1": func(b *Baseline) {
			b.Setup = map[string]string{"the harness": "v1"}
		},
		"measured under other conditions: hostname: other -> bench": func(b *Baseline) {
			b.Host = &environment.Snapshot{Hostname: "other"}
		},
		"gpus[0].driver: 580 -> none": func(b *Baseline) {
			b.Host = &environment.Snapshot{Hostname: "bench", GPUs: []environment.GPU{{Driver: "580"}}}
		},
		"gpus[0].power_limit_watts: 700 -> none": func(b *Baseline) {
			watts := 700.0
			b.Host = &environment.Snapshot{Hostname: "bench", GPUs: []environment.GPU{{PowerLimit: &watts}}}
		},
		"belongs to another build of 0123456":    func(b *Baseline) { b.Build = "0" },
		"is 7.4 days old: at most 7 are allowed": func(b *Baseline) { b.Time = b.Time.AddDate(0, 0, -7) },
		"lies in the future":                     func(b *Baseline) { b.Time = now.Add(time.Minute) },
		"there is no baseline of 0123456 on this host that can be used: x was changed": func(b *Baseline) {
			b.Revision = "other"
		},
	} {
		list := daysOf(rev, now, 1)
		change(&list[0])
		if chosen, _, why := Choose(list, []string{"x was changed"}, rev, setup, host, now); chosen != nil ||
			!strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
	if _, _, why := Choose(daysOf(rev, now, 4), nil, rev, setup, host, now); !strings.Contains(why,
		"only 3 times; 4 are needed") {
		t.Error(why)
	}
	list := daysOf(rev, now, 6)
	for i := range list[1:] {
		list[i+1].Host = &environment.Snapshot{Hostname: "other"} // whose shifts were measured on another host
	}
	if _, _, why := Choose(list, nil, rev, setup, host, now); !strings.Contains(why, "only 0 times") {
		t.Error(why)
	}
	other := *rev
	other.Artifacts = []plan.Artifact{{Name: "p", SHA256: "2"}}
	if rev.Identity() == other.Identity() {
		t.Error("two builds have one identity")
	}
}

// Baselines are read back as written. Changed and truncated files and files of other versions are rejected by name, and
// outdated files are deleted.
func TestBaselineFiles(t *testing.T) {
	folder, now := t.TempDir(), time.Now()
	rev := &plan.Revision{SHA: "0123456789abcdef"}
	b := daysOf(rev, now, 1)[0]
	if err := b.Write(folder); err != nil {
		t.Fatal(err)
	}
	list, refused, err := Read(folder, "w")
	if err != nil || len(list) != 1 || len(refused) != 0 || list[0].SHA256 != b.SHA256 ||
		!slices.Equal(list[0].Means, b.Means) {
		t.Fatalf("%+v, %v, %v", list, refused, err)
	}
	path := filepath.Join(folder, "w-run-"+b.Build[:8]+".json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"was changed after it was written": strings.Replace(string(good), "0.001", "0.003", 1),
		"cannot be read":                   string(good[:len(good)/2]),
		"cannot be read: json: unknown":    strings.Replace(string(good), `"run"`, `"ran"`, 1),
		"this harness reads":               strings.Replace(string(good), Schema, "chiasmus.baseline/9", 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, refused, err := Read(folder, "w"); err != nil || len(list) != 0 || len(refused) != 1 ||
			!strings.Contains(refused[0], want) {
			t.Errorf("%v, %v, %v, want %q", list, refused, err, want)
		}
	}
	if err := os.Chtimes(path, now, now.Add(-61*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.Run = "later"
	if err := b.Write(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a baseline of 61 days is still there: %v", err)
	}
}
