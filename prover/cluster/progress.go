package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// Presence is what a seat says of itself while it is there.
type Presence struct {
	Device string      `json:"device"`
	Job    string      `json:"job,omitempty"` // that it has a task of
	Tag    string      `json:"tag,omitempty"`
	Shard  int         `json:"shard"`
	Stage  prove.Stage `json:"stage,omitempty"` // none: it runs the program, or waits for that
	Since  time.Time   `json:"since"`           // it has the task
}

// Phase is 1 or 2 with a task, else 0.
func (p *Presence) Phase() int {
	switch p.Tag {
	case "":
		return 0
	case commitTag:
		return 1
	}
	return 2
}

// Progress is how far a job is.
type Progress struct {
	Shards, Committed, Proven int
	Seats                     []WorkerSeat // that have tasks of it, by name
}

// progress tells how far the job is.
func (c *Coordinator) progress() {
	p := Progress{Shards: c.work.count(), Committed: c.committed, Proven: c.proven}
	for _, name := range slices.Sorted(maps.Keys(c.seats)) {
		if s := c.seats[name]; s.Job == c.id && c.there(name) {
			p.Seats = append(p.Seats, WorkerSeat{name.shown(), s.Presence})
		}
	}
	c.options.Watch(p)
}
