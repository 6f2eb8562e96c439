package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A summary is appended to what other steps wrote, and stays below the length that GitHub displays.
func TestJobSummary(t *testing.T) {
	if jobSummary("") != nil {
		t.Error("outside of a job there is no page")
	}
	path := filepath.Join(t.TempDir(), "summary")
	if err := os.WriteFile(path, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := jobSummary(path)
	for _, text := range [][]byte{[]byte("one\n"), bytes.Repeat([]byte("x"), 2*maxSummary), []byte("three")} {
		if n, err := page.Write(text); n != len(text) || err != nil {
			t.Error(n, err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) != len("before\n")+maxSummary || !bytes.HasPrefix(data, []byte("before\none\nxxx")) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// Other jobs could replace the file of a plan. A plan is refused unless it has the hash from the planning job.
func TestPlanOfAnotherHash(t *testing.T) {
	file := planFile{path: "plan.json", hash: "aa"}
	if file.check("aa") != nil || (planFile{}).check("bb") != nil {
		t.Error("the plan itself is refused")
	}
	if err := file.check("bb"); err == nil {
		t.Error("another plan is taken")
	}
}
