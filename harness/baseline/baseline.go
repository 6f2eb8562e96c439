package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// Schema names the JSON of a Baseline.
const Schema = "chiasmus.baseline/1"

// MaxAge is the maximum age of a baseline that replaces a measurement of base, keptFor of one that shows how its host
// shifts.
const MaxAge, keptFor = 7 * 24 * time.Hour, 60 * 24 * time.Hour

// A Baseline holds what one run measured of one build, on one workload and one host. The baseline pre-check compares
// head with it. Runs of pull requests neither write nor read the cache of baselines, because the untrusted code of a
// pull request may have reached the cache.
type Baseline struct {
	Schema   string    `json:"schema"`
	Run      string    `json:"run"` // the run that measured it
	Time     time.Time `json:"time"`
	Revision string    `json:"revision"` // SHA
	Workload string    `json:"workload"`
	// Host must be equal, except for properties that change by themselves: see environment.Diff.
	Host *environment.Snapshot `json:"host"`
	// Setup is everything else that must be equal for comparable measurements, by name.
	Setup map[string]string `json:"setup"`
	// Build identifies the build: artifacts, environment and toolchain.
	Build   string           `json:"build"`
	Session evidence.Session `json:"session"` // what the prover claims to prove
	Warmups int              `json:"warmups"` // of every process
	// Metric is the metric that decided the run: see report.Clock.
	Metric string `json:"metric"`
	// Means are the means of the logarithm of Metric over the proofs of each process. Seconds is the mean time of a proof.
	Means   []float64 `json:"means"`
	Seconds float64   `json:"seconds"`
	// Deferred is the mean CPU time of a session, in seconds, between a reply and its next request.
	Deferred float64 `json:"deferred"`
	// Clock is the mean clock of the GPUs during proofs in MHz, 0 if unknown.
	Clock float64 `json:"clock,omitempty"`
	// Exact holds the quantities that repeat exactly.
	Exact map[string]float64 `json:"exact,omitempty"`
	// SHA256 is the digest of the JSON of all other fields.
	SHA256 string `json:"sha256"`
}

// Sum returns the digest of the baseline without its SHA256 field.
func (b Baseline) Sum() string {
	b.SHA256 = ""
	text, err := json.Marshal(b)
	if err != nil {
		return "" // NaN or infinity: an empty digest never matches
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// Folder returns the folder of a directory's baselines: next to its builds, in the user's cache folder.
func Folder(directory string) (string, error) {
	builds, err := plan.BuildsFolder(directory)
	return filepath.Join(filepath.Dir(filepath.Dir(builds)), "baselines", filepath.Base(builds)), err
}

// Write stores the baseline and deletes baselines that are too old to use.
func (b Baseline) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return err
	}
	kept, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range kept {
		if info, err := os.Stat(path); err == nil && b.Time.Sub(info.ModTime()) > keptFor {
			err = os.Remove(path)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return journal.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%s-%.8s.json", b.Workload, b.Run, b.Build)),
		append(text, '\n'))
}

// Read reads all baselines of a workload, the newest first. It skips baselines that were changed after they were
// written or have another version; refused names them.
func Read(folder, workload string) (list []Baseline, refused []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, workload+"-*.json"))
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		switch b, problem := parse(text); {
		case problem != "":
			refused = append(refused, path+" "+problem)
		case b.Workload == workload: // another workload's name may start with it
			list = append(list, b)
		}
	}
	Sort(list)
	return list, refused, nil
}

// Unpaired converts a baseline for package stats.
func (b *Baseline) Unpaired() stats.Unpaired {
	return stats.Unpaired{At: float64(b.Time.Unix()) / 3600, Means: b.Means}
}
