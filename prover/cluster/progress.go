package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// Presence is a seat's periodic announcement.
type Presence struct {
	Device string      `json:"device"`
	Job    string      `json:"job,omitempty"` // of its task
	Tag    string      `json:"tag,omitempty"`
	Shard  int         `json:"shard"`
	Stage  prove.Stage `json:"stage,omitempty"` // empty: it runs the program, or waits for the run
	Since  time.Time   `json:"since"`           // the start of the task
}

// Phase returns 1 or 2 with a task, else 0.
func (p *Presence) Phase() int {
	switch p.Tag {
	case "":
		return 0
	case commitTag:
		return 1
	}
	return 2
}

// Progress is the progress of a job.
type Progress struct {
	Shards, Committed, Proven int
	Seats                     []WorkerSeat // with tasks of the job, by name
}

// progress reports the progress of the job.
func (c *Coordinator) progress() {
	if c.work == nil { // of whole runs, which have no shards
		return
	}
	p := Progress{Shards: c.work.count(), Committed: c.committed, Proven: c.proven}
	for _, name := range slices.Sorted(maps.Keys(c.seats)) {
		if s := c.seats[name]; s.Job == c.id && c.alive(name) {
			p.Seats = append(p.Seats, WorkerSeat{name.shown(), s.Presence})
		}
	}
	c.options.Watch(p)
}
