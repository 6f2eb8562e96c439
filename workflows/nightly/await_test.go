package nightly

import (
	"context"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// A temporary problem does not fail the night: the step waits for it, or the job fails. A permanent problem makes a
// failed night.
func TestReadResult(t *testing.T) {
	const list = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts"
	const download = "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}"
	plan := Plan{Schema: planSchema, Night: "2026-11-21", Workloads: []WorkloadPlan{{Name: "keccak"}}}
	for name, test := range map[string]struct {
		job       string
		artifacts []*githubtest.Artifact
		faults    []*githubtest.Fault
		reason    string // of the failed night; empty for an error
	}{
		"a job that left nothing": {job: "failure", reason: "left no result"},
		"a file that is no result": {job: "success",
			artifacts: []*githubtest.Artifact{{ID: 1, Run: 9, Name: "result", Archive: []byte("no zip")}},
			reason:    "was refused"},
		"one that is listed late": {job: "success",
			artifacts: []*githubtest.Artifact{{ID: 1, Run: 9, Name: "result", Archive: []byte("no zip"), Unlisted: 30}},
			reason:    "was refused"},
		"one that is never listed": {job: "success"},
		"a list that fails": {job: "success",
			faults: []*githubtest.Fault{{Call: list, Status: 403}}},
		"a list that fails, after a job that failed": {job: "failure",
			faults: []*githubtest.Fault{{Call: list, Status: 403}}},
		"a download that fails": {job: "success",
			artifacts: []*githubtest.Artifact{{ID: 1, Run: 9, Name: "result", Archive: []byte("no zip")}},
			faults:    []*githubtest.Fault{{Call: download, Status: 403}}},
	} {
		store, server := branchStore(t)
		server.Tokens["publish"]["actions"] = "read"
		server.Artifacts, server.Faults = test.artifacts, test.faults
		result, err := ReadResult(context.Background(), store.Client, plan, trusted(t), 9, test.job)
		switch {
		case test.reason == "":
			if err == nil {
				t.Errorf("%s: a night was made of it: %+v", name, result)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			for _, one := range result.Measured {
				if !strings.Contains(one.Error, test.reason) {
					t.Errorf("%s: %q", name, one.Error)
				}
			}
		}
	}
}
