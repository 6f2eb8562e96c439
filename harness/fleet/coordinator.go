package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/workflows"
)

// Choose selects agents: "all" live ones, a number of idle ones, or a comma-separated list of labels. It fails, and
// names the live agents, if there are too few. It also fails if some of the chosen agents isolate and others do not,
// unless the order asks for isolation: their results could not be joined.
func (s *Space) Choose(ctx context.Context, hosts string, isolate bool) ([]string, error) {
	agents, err := s.Agents(ctx)
	if err != nil {
		return nil, err
	}
	there := slices.Sorted(maps.Keys(agents))
	var chosen []string
	if number, err := strconv.Atoi(hosts); err == nil {
		for _, label := range there {
			if len(chosen) < number && agents[label].Job == "" {
				chosen = append(chosen, label)
			}
		}
		if len(chosen) < number {
			return nil, fmt.Errorf("--hosts %d: %d agents of %s have nothing to do", number, len(chosen), named(there))
		}
	} else if hosts == "all" {
		chosen = there
	} else {
		for _, label := range strings.Split(hosts, ",") {
			if label = strings.TrimSpace(label); !slices.Contains(there, label) {
				return nil, fmt.Errorf("--hosts: no agent has the label %q: there are %s", label, named(there))
			}
			if !slices.Contains(chosen, label) {
				chosen = append(chosen, label)
			}
		}
	}
	if len(chosen) < 2 {
		return nil, fmt.Errorf("--hosts %s: that is %d of the agents %s: want at least two", hosts,
			len(chosen), named(there))
	}
	if isolate {
		return chosen, nil
	}
	open := slices.DeleteFunc(slices.Clone(chosen), func(label string) bool { return agents[label].Isolates })
	if len(open) > 0 && len(open) < len(chosen) {
		return nil, fmt.Errorf("--hosts %s: %s of %s were started --without-isolation: the hosts of one report must all "+
			"isolate (--isolate asks each to), or none", hosts, named(open), named(chosen))
	}
	return chosen, nil
}

func named(labels []string) string {
	if len(labels) == 0 {
		return "(none)"
	}
	return strings.Join(labels, ", ")
}

// A Job is a comparison ordered from several agents.
type Job struct {
	Schema  string    `json:"schema"`
	Job     string    `json:"job"`
	Created time.Time `json:"created"`
	Hosts   []string  `json:"hosts"`
	// Config is the bench.yaml that applies, and ConfigSHA256 its hash.
	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
}

// JobSchema is the version of a job's JSON.
const JobSchema = "chiasmus.job/1"

// Pack stores the commits of an order and the bench.yaml that applies in the fleet's object store, and lists the files
// in the order.
func (s *Space) Pack(ctx context.Context, order *Order, repository, config string,
	log func(format string, values ...any)) error {
	folder, err := os.MkdirTemp("", "chiasmus-order-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if repository, err = filepath.Abs(repository); err != nil {
		return err
	}
	fetch := workflows.FetchOptions{Repository: repository, Config: config, Local: true, Log: log}
	if err := workflows.Fetch(ctx, order.commits(), fetch, folder); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		digest, err := s.objects.Put(ctx, data)
		order.Files = append(order.Files, File{filepath.ToSlash(name), digest})
		return err
	})
}

// Place writes the order of each host of a job.
func (s *Space) Place(ctx context.Context, job Job, order Order) error {
	data, err := json.Marshal(order)
	if err != nil {
		return err
	}
	for _, label := range job.Hosts {
		signed, err := s.bus.Seal(purpose(label, job.Job), time.Now().Add(s.orders.Expiry()), data)
		if err == nil {
			err = write(ctx, s.orders, key(label, job.Job), signed)
		}
		if err != nil {
			return fmt.Errorf("the order of %s: %w", label, err)
		}
	}
	return nil
}

// purpose returns the signing purpose of an order: it names one agent and one job.
func purpose(label, job string) string { return ordersBucket + " " + key(label, job) }

// Following configures how a job is followed.
type Following struct {
	// GiveUp is how long an agent may be absent, or report nothing about its order, before its host counts as unfinished.
	GiveUp time.Duration
	// Closing Stop ends the following. The agents continue.
	Stop <-chan struct{}
	// Tell receives each report of a host, and its outcome.
	Tell func(host string, progress Progress)
	// Say receives a message for each invalid entry of the server.
	Say func(line string)
	// Gone is called when a host is no longer heard of, and when it is back.
	Gone func(host string, back bool)
}

// Results are the outcome of a job.
type Results struct {
	Reports []harness.HostReport
	// Missing maps hosts without a report to the reason.
	Missing map[string]string
}

// Follow waits until every host of a job has ended or has been given up, and returns the results. It can be repeated.
func (s *Space) Follow(ctx context.Context, job Job, f Following) (*Results, error) {
	watching, end := context.WithCancel(ctx)
	defer end()
	updates, err := s.progress.Watch(watching, "*."+job.Job, f.Say)
	if err != nil {
		return nil, err
	}
	latest := map[string]Progress{}
	heard := map[string]time.Time{}
	gone := map[string]bool{}
	for _, host := range job.Hosts {
		heard[host] = time.Now()
	}
	tick := time.NewTicker(max(s.presence/8, 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.Stop:
			return s.gather(ctx, job, latest)
		case entry, open := <-updates:
			if !open { // the context may have ended, too
				return nil, cmp.Or(ctx.Err(), errors.New("the server no longer reports the progress of the hosts"))
			}
			host, progress, ok := decodeProgress(job, entry)
			if !ok {
				continue
			}
			latest[host], heard[host] = progress, time.Now()
			f.Tell(host, progress)
		case <-tick.C:
			if err := s.listen(ctx, job, f, latest, heard, gone); err != nil {
				return nil, err
			}
		}
		if over(job, latest, gone, heard, f.GiveUp) {
			return s.gather(ctx, job, latest)
		}
	}
}

// decodeProgress decodes an entry of a host of the job.
func decodeProgress(job Job, entry *bus.Entry) (host string, progress Progress, ok bool) {
	if entry == nil || entry.Deleted {
		return "", progress, false
	}
	host = strings.TrimSuffix(entry.Key, "."+job.Job)
	if !slices.Contains(job.Hosts, host) || json.Unmarshal(entry.Value, &progress) != nil {
		return "", progress, false
	}
	return host, progress, true
}

// listen updates which agents are present, by their cards.
func (s *Space) listen(ctx context.Context, job Job, f Following, latest map[string]Progress,
	heard map[string]time.Time, gone map[string]bool) error {
	agents, err := s.Agents(ctx)
	if err != nil {
		return err
	}
	for _, host := range job.Hosts {
		_, there := agents[host]
		if there {
			heard[host] = time.Now()
		}
		if lost := !there && latest[host].State != Ended; lost != gone[host] {
			gone[host] = lost
			f.Gone(host, !lost)
		}
	}
	return nil
}

// over reports whether there is nothing left to wait for.
func over(job Job, latest map[string]Progress, gone map[string]bool, heard map[string]time.Time,
	giveUp time.Duration) bool {
	for _, host := range job.Hosts {
		if latest[host].State != Ended && !(gone[host] && time.Since(heard[host]) > giveUp) {
			return false
		}
	}
	return true
}

// gather reads the available reports.
func (s *Space) gather(ctx context.Context, job Job, latest map[string]Progress) (*Results, error) {
	r := &Results{Missing: map[string]string{}}
	for _, host := range job.Hosts {
		progress := latest[host]
		switch {
		case progress.State != Ended:
			r.Missing[host] = "it has not ended"
			continue
		case progress.Report == nil:
			r.Missing[host] = progress.Error
			continue
		}
		data, err := s.objects.Get(ctx, *progress.Report)
		if err != nil {
			return nil, fmt.Errorf("the report of %s: %w", host, err)
		}
		report := new(harness.Report)
		if err := json.Unmarshal(data, report); err != nil {
			return nil, fmt.Errorf("the report of %s: %w", host, err)
		}
		if report.Schema != harness.ReportSchema {
			return nil, fmt.Errorf("the report of %s has schema %q, this harness reads %s", host, report.Schema,
				harness.ReportSchema)
		}
		r.Reports = append(r.Reports, harness.HostReport{Name: host, Report: report})
	}
	return r, nil
}
