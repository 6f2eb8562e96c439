package flame

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func stackOf(samples float64, frames ...string) Stack {
	return Stack{Frames: frames, Samples: samples, Seconds: samples / 1000}
}

// Two programs, of which head was sampled for twice as many proofs. hash takes twice its time, sort half, and gone is
// missing.
var (
	base = Side{Proofs: 10, Stacks: []Stack{
		stackOf(1000, "main", "prove", "hash"), stackOf(400, "main", "sort"), stackOf(100, "main", "gone"),
		stackOf(500, "main", "prove"),
	}}
	head = Side{Proofs: 20, Stacks: []Stack{
		stackOf(4000, "main", "prove", "hash"), stackOf(400, "main", "sort"), stackOf(1010, "main", "prove"),
		stackOf(20, "main", "<new & \"shiny\">"),
	}}
)

func TestChangesAreOfOneProof(t *testing.T) {
	got := Changes(base, head)
	want := []Change{
		{"hash", 0.1, 0.2, 50, 0}, {"sort", 0.04, 0.02, -10, 0}, {"gone", 0.01, 0, -5, 0},
		{"<new & \"shiny\">", 0, 0.001, 0.5, 0}, {"prove", 0.05, 0.0505, 0.25, 0},
	}
	if len(got) != len(want) {
		t.Fatalf("%d functions, want %d: %+v", len(got), len(want), got)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for i, w := range want {
		g := got[i]
		if g.Function != w.Function || !near(g.BaseSeconds, w.BaseSeconds) || !near(g.HeadSeconds, w.HeadSeconds) ||
			!near(g.Percent, w.Percent) {
			t.Errorf("place %d: %+v, want %+v", i+1, g, w)
		}
	}
	// 1000 samples of 0.1 ms and 4000 of 0.05 ms: the variance of the difference is 1e-5 + 1e-5 square milliseconds
	// times 1e6, so two standard deviations are 8.94 ms.
	if noise := got[0].NoiseSeconds; math.Abs(noise-2*math.Sqrt(1000*1e-8+4000*25e-10)) > 1e-12 || !got[0].Clear() {
		t.Errorf("noise of hash %v, clear %v", noise, got[0].Clear())
	}
	if last := got[4]; last.Clear() {
		t.Errorf("chance is called a change: %+v", last)
	}
}

func TestFoldAddsEqualStacks(t *testing.T) {
	got := Fold([]Stack{stackOf(1, "a", "b"), stackOf(2, "a"), stackOf(3, "a", "b"), stackOf(4, "ab")})
	if len(got) != 3 || got[0].Samples != 4 || got[1].Samples != 2 || got[2].Samples != 4 ||
		math.Abs(got[0].Seconds-0.004) > 1e-12 {
		t.Errorf("folded to %+v", got)
	}
}

var drawn = regexp.MustCompile(`<button class="box (red|blue)" style="left:([0-9.]+)%;width:([0-9.]+)%;` +
	`top:(\d+)px;--heat:(\d+)"[^>]* title="([^"]*)">([^<]*)</button>`)

// Boxes are as wide as head's share, lie within their callers, and are red where head takes longer.
func TestTheGraph(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, base, head, Page{Title: "a & b", Note: "<b>"}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Contains(text, "<new") || strings.Contains(text, "<b>") || !strings.Contains(text, "a &amp; b") {
		t.Error("a name is not escaped")
	}
	for _, outside := range []string{"http:", "https:", "@import", "src="} {
		if strings.Contains(text, outside) {
			t.Errorf("the page fetches something: %s", outside)
		}
	}
	boxes := map[string][]string{}
	for _, m := range drawn.FindAllStringSubmatch(text, -1) {
		boxes[m[7]] = m
	}
	if len(boxes) != 6 {
		t.Fatalf("%d boxes, want all, main, prove, hash, sort and the new one: %v", len(boxes), boxes)
	}
	number := func(name string, field int) float64 {
		x, err := strconv.ParseFloat(boxes[name][field], 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return x
	}
	const whole = 4000 + 400 + 1010 + 20
	for name, want := range map[string]float64{"all": whole, "prove": 5010, "hash": 4000, "sort": 400} {
		if got := number(name, 3); math.Abs(got-100*want/whole) > 1e-3 {
			t.Errorf("%s is %g %% wide, want %g", name, got, 100*want/whole)
		}
	}
	if number("hash", 2) < number("prove", 2)-1e-3 ||
		number("hash", 2)+number("hash", 3) > number("prove", 2)+number("prove", 3)+1e-3 {
		t.Error("hash is not within its caller")
	}
	if got, want := number("sort", 2), 100*float64(20+5010)/whole; math.Abs(got-want) > 1e-3 {
		t.Errorf("sort begins at %g %%, want %g, after its neighbours", got, want)
	}
	if boxes["hash"][1] != "red" || boxes["sort"][1] != "blue" || number("hash", 5) != 100 || number("sort", 5) >= 60 {
		t.Errorf("colours: %v, %v", boxes["hash"], boxes["sort"])
	}
	if !strings.Contains(boxes["hash"][6], "base 100 ms, head 200 ms: &#43;100 ms") {
		t.Errorf("title %q", boxes["hash"][6])
	}
	out.Reset()
	if err := Write(&out, Side{}, Side{}, Page{}); err != nil || drawn.MatchString(out.String()) {
		t.Errorf("without samples: %v", err)
	}
}

// A joined side keeps its number of proofs, and a stated variance is used if there are no samples.
func TestJoinedSidesAndTheLargestChanges(t *testing.T) {
	cpu := Side{Stacks: []Stack{stackOf(100, "main")}, Proofs: 10}
	gpu := Side{Stacks: []Stack{{Frames: []string{"GPU", "fold"}, Seconds: 4, Variance: 1}}, Proofs: 2}
	joined := Join(cpu, gpu)
	if joined.Proofs != 10 || len(joined.Stacks) != 2 || joined.Stacks[1].Seconds != 20 ||
		joined.Stacks[1].Variance != 25 {
		t.Errorf("joined: %+v", joined)
	}
	if alone := Join(Side{}, gpu); alone.Proofs != 2 || len(alone.Stacks) != 1 {
		t.Errorf("into an empty side: %+v", alone)
	}
	slower := Side{Stacks: []Stack{{Frames: []string{"GPU", "fold"}, Seconds: 8, Variance: 3}}, Proofs: 2}
	changes := Changes(gpu, slower)
	if len(changes) != 1 || changes[0].NoiseSeconds != 2 || changes[0].Clear() {
		t.Errorf("a change within its noise: %+v", changes)
	}
	most := Most(2, []Change{{Function: "a", HeadSeconds: 1}, {Function: "b", HeadSeconds: 3}},
		[]Change{{Function: "c", BaseSeconds: 2}})
	if len(most) != 2 || most[0].Function != "b" || most[1].Function != "c" {
		t.Errorf("the two largest: %+v", most)
	}
}
