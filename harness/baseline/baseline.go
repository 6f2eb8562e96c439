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

// How long a baseline stands for base, and how long it tells how far its host moves.
const MaxAge, keptFor = 7 * 24 * time.Hour, 60 * 24 * time.Hour

// A Baseline is what one run saw of one build on one workload and one host: what the first tier of a gate compares head
// with. Runs of pull requests neither write nor read any: what they measure beside a stranger's code is no measure for
// others, and a cache that such code may have reached is none for them.
type Baseline struct {
	Schema   string    `json:"schema"`
	Run      string    `json:"run"` // that measured it
	Time     time.Time `json:"time"`
	Revision string    `json:"revision"` // SHA
	Workload string    `json:"workload"`
	// Host is what has to be the same, but for what changes by itself: see environment.Diff.
	Host *environment.Snapshot `json:"host"`
	// Setup is whatever else has to be the same for two builds to be measured alike, in words, by name.
	Setup map[string]string `json:"setup"`
	// Build tells builds apart: artifacts, environment and toolchain.
	Build   string           `json:"build"`
	Session evidence.Session `json:"session"` // what it says that it proves
	Warmups int              `json:"warmups"` // of every process
	// Metric is the one that decided the run: see Clock.
	Metric string `json:"metric"`
	// Means are of its logarithm, over the proofs of each process, and Seconds is the mean time.
	Means   []float64 `json:"means"`
	Seconds float64   `json:"seconds"`
	// Deferred is the mean CPU time in seconds that a session took between a reply and its next request.
	Deferred float64 `json:"deferred"`
	// Clock is the mean of the GPUs' clock during the proofs in MHz, 0 where nothing is known.
	Clock float64 `json:"clock,omitempty"`
	// Exact are the quantities that repeat.
	Exact map[string]float64 `json:"exact,omitempty"`
	// SHA256 is of the JSON of all the rest.
	SHA256 string `json:"sha256"`
}

// Sum is the hash of a baseline without its own.
func (b Baseline) Sum() string {
	b.SHA256 = ""
	text, err := json.Marshal(b)
	if err != nil {
		return "" // a number that is none: a hash that fits nothing
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// Folder returns where the baselines of a directory are: beside the builds, in the user's cache folder.
func Folder(directory string) (string, error) {
	builds, err := plan.BuildsFolder(directory)
	return filepath.Join(filepath.Dir(filepath.Dir(builds)), "baselines", filepath.Base(builds)), err
}

// Write stores a baseline and deletes those that are too old for anything.
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

// Read reads all baselines of a workload, the newest first. One that was changed since it was written, or is
// of another version, is left out and named.
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
		case b.Workload == workload: // another's name may begin with it
			list = append(list, b)
		}
	}
	Sort(list)
	return list, refused, nil
}

// Alone is a baseline as the statistics take it.
func (b *Baseline) Alone() stats.Alone {
	return stats.Alone{At: float64(b.Time.Unix()) / 3600, Means: b.Means}
}
