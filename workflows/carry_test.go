package workflows

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
)

// seen is a baseline of some days ago. Its digest is computed here as documented: of the JSON with an empty sha256.
func seen(t *testing.T, workload, revision string, ago time.Duration) baseline.Baseline {
	t.Helper()
	b := baseline.Baseline{
		Schema:   baseline.Schema,
		Run:      "night",
		Workload: workload,
		Revision: revision,
		Time:     worldNow.Add(-ago),
		Means:    []float64{0, 0.001, 0.002},
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	b.SHA256 = hex.EncodeToString(sum[:])
	return b
}

// nights puts baselines on the history's branch of a world.
func (world *world) nights(list ...harness.Baseline) {
	world.t.Helper()
	data, err := baseline.Encode(list)
	if err != nil {
		world.t.Fatal(err)
	}
	world.Files["nights"] = map[string][]byte{BaselinesFile: append(data, "{}\n"...)}
	world.settings = func(settings *Settings) {
		file := *settings.File
		file.Nightly.History = config.History{Branch: "nights"}
		settings.File = &file
	}
}

// A run with a pre-check receives the baselines that nights measured of its workloads, newest first, up to the maximum
// number in a plan, and no others. A run without a pre-check receives none.
func TestGateCarriesBaselines(t *testing.T) {
	const day = 24 * time.Hour
	world := newWorld(t)
	old, quick := seen(t, "keccak", world.first, 3*day), seen(t, "quick", world.first, day)
	list := []baseline.Baseline{old, quick, seen(t, "keccak", world.main, 61*day)}
	world.nights(list...)
	if decision := world.gate(world.say("maintainer", "/bench-gpu workload=keccak")); decision.Plan == nil ||
		decision.Plan.Baselines != nil || decision.Carried != nil {
		t.Errorf("for pairs alone: %+v", decision)
	}
	decision := world.gate(world.say("maintainer", "/bench-gpu workload=keccak,quick tier=1"))
	plan := decision.Plan
	if plan == nil || fmt.Sprint(plan.Baselines) != fmt.Sprint([]string{quick.SHA256, old.SHA256}) {
		t.Fatalf("carried %+v", decision)
	}
	if notes := strings.Join(plan.Notes, " "); !strings.Contains(notes,
		"The run ignores 1 baseline of nights: baselines.jsonl line 4 has schema") {
		t.Errorf("notes %s", notes)
	}
	data, err := baseline.Encode(decision.Carried)
	if err != nil {
		t.Fatal(err)
	}
	if carried, err := plan.Carried(data); err != nil || len(carried) != 2 || carried[1].SHA256 != old.SHA256 {
		t.Errorf("beside the plan: %+v, %v", carried, err)
	}
	one := bytes.SplitAfter(data, []byte("\n"))[0]
	for want, lines := range map[string][]byte{
		"the 1 baselines next to the plan are not the 2": one,
		"the 3 baselines next to the plan are not the 2": append(bytes.Clone(data), one...),
		"line 1 was changed after it was written":        bytes.Replace(data, []byte("0.001"), []byte("0.003"), 1),
	} {
		if _, err := plan.Carried(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	world.nights(quick)
	if decision := world.gate(world.say("maintainer",
		"/bench-gpu workload=keccak tier=1")); len(decision.Plan.Baselines) != 0 {
		t.Errorf("of another workload: %+v", decision.Plan)
	}
}

// A plan has room for the digests of all baselines that the gate carries. A bench.yaml with a folder on the host gets
// none.
func TestPlanOfManyBaselines(t *testing.T) {
	world := newWorld(t)
	var list []baseline.Baseline
	for i := range maxCarried + 3 {
		list = append(list, seen(t, "keccak", world.first, time.Duration(i)*time.Hour))
	}
	world.nights(list...)
	plan := world.gate(world.say("maintainer", "/bench-gpu workload=keccak tier=1")).Plan
	if len(plan.Baselines) != maxCarried || plan.Baselines[maxCarried-1] != list[maxCarried-1].SHA256 {
		t.Errorf("%d baselines", len(plan.Baselines))
	}
	for range maxWorkloads { // the longest names that bench.yaml may have
		plan.Workloads = append(plan.Workloads, strings.Repeat("w", 64))
	}
	if _, err := DecodePlan(plan.Encode()); err != nil {
		t.Error(err)
	}
	nights := world.settings
	world.settings = func(settings *Settings) {
		nights(settings)
		settings.File.GitHub.Baselines = "/var/lib/baselines"
	}
	if plan := world.gate(world.say("maintainer", "/bench-gpu workload=keccak tier=1")).Plan; len(plan.Baselines) != 0 {
		t.Errorf("%d baselines beside a folder", len(plan.Baselines))
	}
}

// A pre-check decided by a carried baseline is accepted. A pre-check decided by a baseline that the plan does not name
// is refused.
func TestFirstTierOfAnotherBaseline(t *testing.T) {
	plan := &Plan{Baselines: []string{"ab", "cd"}}
	report := func(digest string) *harness.Report {
		return &harness.Report{Workloads: []harness.Workload{{}, {PreCheck: &baseline.PreCheck{Decided: 2}},
			{PreCheck: &baseline.PreCheck{
				Decided:  1,
				Baseline: &baseline.Baseline{SHA256: digest},
			}}}}
	}
	if err := plan.checkCarried(report("cd")); err != nil {
		t.Error(err)
	}
	err := checkAsked(report("ef"), plan, &config.File{})
	if err == nil || !strings.Contains(err.Error(), "by a baseline that the plan does not name, ef") {
		t.Error(err)
	}
	if err := (&Plan{}).checkCarried(report("ef")); err != nil {
		t.Errorf("of a folder on the host: %v", err)
	}
}
