package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/workflows"
)

// The gate writes the baselines that a plan names next to the plan, and the measuring step uses exactly those.
func TestBaselinesBesideAPlan(t *testing.T) {
	b := baseline.Baseline{Schema: baseline.Schema, Run: "night", Workload: "demo", Means: []float64{1, 2, 3}}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	b.SHA256 = hex.EncodeToString(sum[:])
	plan := &workflows.Plan{Baselines: []string{b.SHA256}}
	file := planFile{path: filepath.Join(t.TempDir(), "handed", "plan.json")}
	if err := writePlan(file.path, plan.Encode(), []baseline.Baseline{b}); err != nil {
		t.Fatal(err)
	}
	if list, err := file.carried(plan); err != nil || len(list) != 1 || list[0].SHA256 != b.SHA256 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := file.carried(&workflows.Plan{}); err != nil || list != nil {
		t.Errorf("a plan that names none: %+v, %v", list, err)
	}
	beside := filepath.Join(filepath.Dir(file.path), workflows.BaselinesFile)
	for _, content := range []string{"", "{}\n"} {
		if err := os.WriteFile(beside, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := file.carried(plan); err == nil || !strings.Contains(err.Error(), "baselines next to the plan") {
			t.Errorf("%q beside the plan: %v", content, err)
		}
	}
	if err := os.Remove(beside); err != nil {
		t.Fatal(err)
	}
	if _, err := file.carried(plan); err == nil {
		t.Error("a plan without its baselines is measured")
	}
}
