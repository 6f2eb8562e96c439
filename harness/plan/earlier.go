package plan

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/chiasmus/chiasmus/harness/journal"
)

// An earlier run has the times that planning reads from the report of a finished run.
type earlier struct {
	ID        string
	Complete  bool
	Building  float64 // seconds that one build of both arms took
	Workloads []earlierWorkload
}

// An earlierWorkload is one workload of an earlier run.
type earlierWorkload struct {
	Name       string  `json:"name"`
	Of         string  `json:"of"`
	Seconds    float64 `json:"seconds"`
	ProofsMade int     `json:"proofs_made"`
	Processes  int     `json:"launches"`
}

// reportSchema is the schema of the reports that readEarlier reads.
const reportSchema = "chiasmus.report/1"

// readEarlier reads report.json of a run. It fails if the file is missing or has another schema.
func readEarlier(dir journal.Directory) (earlier, error) {
	text, err := os.ReadFile(dir.Report("json"))
	if err != nil {
		return earlier{}, err
	}
	type arm struct {
		BuildSeconds float64 `json:"build_seconds"`
	}
	var r struct {
		Schema    string              `json:"schema"`
		State     string              `json:"state"`
		Run       struct{ ID string } `json:"run"`
		Base      arm                 `json:"base"`
		Head      arm                 `json:"head"`
		Workloads []earlierWorkload   `json:"workloads"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return earlier{}, fmt.Errorf("%s: %w", dir.Report("json"), err)
	}
	if r.Schema != reportSchema {
		return earlier{}, fmt.Errorf("%s: schema %q: this harness reads %s", dir.Report("json"), r.Schema, reportSchema)
	}
	return earlier{r.Run.ID, r.State == "complete", r.Base.BuildSeconds + r.Head.BuildSeconds, r.Workloads}, nil
}
