package nightly

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/workflows"
)

// seen is a complete baseline of a revision.
func seen(t *testing.T, workload, revision string, at time.Time) baseline.Baseline {
	t.Helper()
	b := baseline.Baseline{
		Schema:   baseline.Schema,
		Run:      "night",
		Workload: workload,
		Revision: revision,
		Build:    revision,
		Time:     at,
		Means:    []float64{0, 0.001, 0.002},
	}
	return sealed(t, b)
}

func sealed(t *testing.T, b baseline.Baseline) baseline.Baseline {
	t.Helper()
	b.SHA256 = ""
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	b.SHA256 = hex.EncodeToString(sum[:])
	return b
}

// A night hands on complete baselines of its own revisions, each build once. A result with any other baseline is
// rejected.
func TestBaselinesOfAResult(t *testing.T) {
	plan := Plan{
		Schema:    planSchema,
		Head:      sha(2),
		Workloads: []WorkloadPlan{{Name: "keccak", Good: sha(1), Anchor: sha(0), Rounds: 1, Pairs: 14}},
	}
	own := seen(t, "keccak", sha(1), night(0))
	changed, other := own, own
	changed.Means = []float64{9}
	other.Run = "again"
	result := FailedNight(plan, "the host was busy")
	for want, list := range map[string][]baseline.Baseline{
		"":                                       {own, seen(t, "keccak", sha(2), night(0))},
		"was changed after it was written":       {changed},
		`on the workload "keccak", which is not`: {seen(t, "keccak", sha(7), night(0))},
		`on the workload "quick", which is not`:  {seen(t, "quick", sha(1), night(0))},
		"two baselines of one build":             {own, sealed(t, other)},
	} {
		result.Baselines = list
		data, err := result.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := CheckResult(data, plan, trusted(t))
		if want == "" && (err != nil || len(got.Baselines) != 2) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	kept := plan.Of([]baseline.Baseline{changed, own, seen(t, "keccak", sha(7), night(0))})
	if len(kept) != 1 || kept[0].SHA256 != own.SHA256 {
		t.Errorf("handed on: %+v", kept)
	}
	// If the file would be too large, baselines are omitted before any round.
	result.Baselines = []baseline.Baseline{own}
	all, err := result.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if data, err := result.encode(int64(len(all)) - 1); err != nil || strings.Contains(string(data), `"baselines"`) ||
		!strings.Contains(string(data), "the host was busy") {
		t.Errorf("%s, %v", data, err)
	}
}

// The branch keeps the baselines of sixty days, each once even with concurrent writers, newest first, and drops
// unreadable ones.
func TestBranchKeepsBaselines(t *testing.T) {
	ctx := context.Background()
	store, server := branchStore(t)
	if err := store.Append(ctx, []Record{of(night(0))}, "a night"); err != nil { // which creates the branch
		t.Fatal(err)
	}
	keep := func(now time.Time, list ...baseline.Baseline) []baseline.Baseline {
		t.Helper()
		for range 2 { // a repeated job
			if err := store.KeepBaselines(ctx, list, "baselines", now); err != nil {
				t.Fatal(err)
			}
		}
		kept, refused := baseline.Decode(server.Files[store.Branch][workflows.BaselinesFile])
		if len(refused) > 0 {
			t.Fatal(refused)
		}
		return kept
	}
	first, second := seen(t, "keccak", sha(1), night(0)), seen(t, "keccak", sha(2), night(1))
	if kept := keep(night(0), first); len(kept) != 1 {
		t.Errorf("%d after the first night", len(kept))
	}
	server.Files[store.Branch][workflows.BaselinesFile] = append(server.Files[store.Branch][workflows.BaselinesFile],
		"of another harness\n"...)
	if kept := keep(night(1), second); len(kept) != 2 || kept[0].SHA256 != second.SHA256 ||
		kept[1].SHA256 != first.SHA256 {
		t.Errorf("after the second: %+v", kept)
	}
	third := seen(t, "keccak", sha(3), night(60).Add(time.Hour))
	if kept := keep(night(60).Add(time.Hour), third); len(kept) != 2 || kept[1].SHA256 != second.SHA256 {
		t.Errorf("after sixty days: %+v", kept)
	}
	if err := store.KeepBaselines(ctx, nil, "none", night(200)); err != nil || len(keep(night(61), third)) != 2 {
		t.Errorf("a night without any: %v", err)
	}
	large := make([]baseline.Baseline, 12)
	for i := range large {
		b := seen(t, "keccak", sha(i), night(i))
		b.Run = strings.Repeat("x", maxBaselines/10)
		large[i] = sealed(t, b)
	}
	data, err := keptBaselines(large, night(12))
	if list, _ := baseline.Decode(data); err != nil || len(data) > maxBaselines || len(list) != 9 ||
		list[0].Revision != sha(11) {
		t.Errorf("%d bytes of %d baselines, %v", len(data), len(list), err)
	}
}
