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

// Choose picks agents: "all" that are there, so many of them that have nothing to do, or those named, with commas.
// Fewer than asked for is an error that says who is there, and so are agents some of which isolate what revisions hold,
// unless the order asks all of them for it: their results could not be joined.
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
		return nil, fmt.Errorf("--hosts %s: that is %d of the agents %s, and a comparison of hosts takes two at least", hosts,
			len(chosen), named(there))
	}
	if isolate {
		return chosen, nil
	}
	open := slices.DeleteFunc(slices.Clone(chosen), func(label string) bool { return agents[label].Isolates })
	if len(open) > 0 && len(open) < len(chosen) {
		return nil, fmt.Errorf("--hosts %s: %s of %s were started --without-isolation: one report has hosts that all "+
			"isolate, which --isolate asks of each, or none", hosts, named(open), named(chosen))
	}
	return chosen, nil
}

func named(labels []string) string {
	if len(labels) == 0 {
		return "(none)"
	}
	return strings.Join(labels, ", ")
}

// A Job is a comparison that several agents were asked for.
type Job struct {
	Schema  string    `json:"schema"`
	Job     string    `json:"job"`
	Created time.Time `json:"created"`
	Hosts   []string  `json:"hosts"`
	// Config is the bench.yaml that decides, and ConfigSHA256 its hash.
	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
}

// JobSchema is the version of a job's JSON.
const JobSchema = "chiasmus.job/1"

// Pack puts the commits of an order and the bench.yaml that decides into the fleet's store, and the files into the
// order.
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

// Place gives every host of a job its order.
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

// purpose is what an order is signed for: one agent and one job.
func purpose(label, job string) string { return ordersBucket + " " + key(label, job) }

// Following says how a job is followed.
type Following struct {
	// GiveUp is how long an agent may be gone, or silent about its order, before its host counts as one that did not
	// finish.
	GiveUp time.Duration
	// Stop, once closed, ends the following; the agents go on.
	Stop <-chan struct{}
	// Tell is told what a host says, and what becomes of it.
	Tell func(host string, told Telling)
	// Say is told what the server's entries have that cannot be.
	Say func(line string)
	// Gone is told where nothing is heard of a host, and where it is back.
	Gone func(host string, back bool)
}

// Results are what became of a job.
type Results struct {
	Reports []harness.HostReport
	// Missing are the hosts without a report, with why.
	Missing map[string]string
}

// Follow waits until every host of a job has ended, or was given up, and gathers the results. It can be done again.
func (s *Space) Follow(ctx context.Context, job Job, f Following) (*Results, error) {
	watching, end := context.WithCancel(ctx)
	defer end()
	tellings, err := s.tellings.Watch(watching, "*."+job.Job, f.Say)
	if err != nil {
		return nil, err
	}
	latest := map[string]Telling{}
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
		case entry, open := <-tellings:
			if !open { // as it is too when the context has ended
				return nil, cmp.Or(ctx.Err(), errors.New("the server no longer tells how far the hosts are"))
			}
			host, told, ok := toldBy(job, entry)
			if !ok {
				continue
			}
			latest[host], heard[host] = told, time.Now()
			f.Tell(host, told)
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

// toldBy reads an entry of a host of the job.
func toldBy(job Job, entry *bus.Entry) (host string, told Telling, ok bool) {
	if entry == nil || entry.Deleted {
		return "", told, false
	}
	host = strings.TrimSuffix(entry.Key, "."+job.Job)
	if !slices.Contains(job.Hosts, host) || json.Unmarshal(entry.Value, &told) != nil {
		return "", told, false
	}
	return host, told, true
}

// listen looks which agents are there. One is heard of by its card.
func (s *Space) listen(ctx context.Context, job Job, f Following, latest map[string]Telling, heard map[string]time.Time,
	gone map[string]bool) error {
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

// over says whether nothing is left to wait for.
func over(job Job, latest map[string]Telling, gone map[string]bool, heard map[string]time.Time,
	giveUp time.Duration) bool {
	for _, host := range job.Hosts {
		if latest[host].State != Ended && !(gone[host] && time.Since(heard[host]) > giveUp) {
			return false
		}
	}
	return true
}

// gather reads the reports that there are.
func (s *Space) gather(ctx context.Context, job Job, latest map[string]Telling) (*Results, error) {
	r := &Results{Missing: map[string]string{}}
	for _, host := range job.Hosts {
		told := latest[host]
		switch {
		case told.State != Ended:
			r.Missing[host] = "it has not ended"
			continue
		case told.Report == nil:
			r.Missing[host] = told.Error
			continue
		}
		data, err := s.objects.Get(ctx, *told.Report)
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
