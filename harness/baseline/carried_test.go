package baseline

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/plan"
)

// Baselines are transferred as lines. A line that was changed on the way is omitted and reported by number; all others
// are accepted.
func TestBaselinesTravel(t *testing.T) {
	rev := &plan.Revision{SHA: "0123456789abcdef"}
	data, err := Encode(daysOf(rev, time.Now(), 3))
	if err != nil {
		t.Fatal(err)
	}
	list, refused := Decode(data)
	if len(list) != 3 || len(refused) != 0 || list[2].Check() != nil ||
		!slices.Equal(list[2].Means, []float64{0, 0.001, 0.002}) {
		t.Fatalf("%+v, %v", list, refused)
	}
	again, err := Encode(list)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("%v: read and written again they differ", err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for want, second := range map[string]string{
		"line 2 was changed after it was written": strings.Replace(lines[1], "0.001", "0.003", 1),
		"line 2 cannot be read":                   "{\n",
		"line 2 has schema":                       strings.Replace(lines[1], Schema, "chiasmus.baseline/9", 1),
	} {
		if list, refused := Decode([]byte(lines[0] + second + lines[2])); len(list) != 2 || len(refused) != 1 ||
			!strings.HasPrefix(refused[0], want) {
			t.Errorf("%d read, %v, want %q", len(list), refused, want)
		}
	}
	list[0].Seconds++
	if err := list[0].Check(); err == nil || !strings.Contains(err.Error(), "the baseline of run run was changed") {
		t.Errorf("a changed baseline: %v", err)
	}
	if now := list[1].Time.Add(keptFor); !list[1].Fits(now) || list[1].Fits(now.Add(time.Second)) {
		t.Error("a baseline does not tell of its host for sixty days")
	}
}

// For each build, the round of the night with the most processes is handed on.
func TestBaselinesOfANight(t *testing.T) {
	folder, now := t.TempDir(), time.Now()
	for round, processes := range []int{3, 5, 4} {
		for _, sha := range []string{"0123456789", "9876543210"} {
			b := daysOf(&plan.Revision{SHA: sha}, now, 1)[0]
			b.Run, b.Means = strings.Repeat("x", round+1), make([]float64, processes)
			b.SHA256 = b.Sum()
			if err := b.Write(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := OfNight(folder)
	if err != nil || len(list) != 2 || len(list[0].Means) != 5 || len(list[1].Means) != 5 ||
		list[0].Build == list[1].Build {
		t.Errorf("%+v, %v", list, err)
	}
	broken := list[0]
	broken.Run, broken.Seconds = "y", 9
	if err := broken.Write(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := OfNight(folder); err == nil || !strings.Contains(err.Error(), "was changed after it was written") {
		t.Errorf("a changed file: %v", err)
	}
}
