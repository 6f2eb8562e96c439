package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A summary is added to what other steps wrote, and never so long that GitHub shows none.
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

// A plan comes from a file that other jobs could replace: one that is not of the planning job's hash is refused.
func TestPlanOfAnotherHash(t *testing.T) {
	file := planFile{path: "plan.json", hash: "aa"}
	if file.check("aa") != nil || (planFile{}).check("bb") != nil {
		t.Error("the plan itself is refused")
	}
	if err := file.check("bb"); err == nil {
		t.Error("another plan is taken")
	}
}
