package record

import (
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// History is the fold of all records of a run so far.
type History struct {
	Decided     *plan.Identity
	Workloads   map[string]*Progress
	Start, End  *environment.Snapshot // at the first start and the last end
	Warnings    []plan.Warning
	Events      []evidence.Event
	Failure     *failure.Failure
	Interrupted bool
	Checked     bool
	Finished    *Finished
	Reported    bool
	Resumed     int
	Proofs      int64 // number of proofs made; requests are numbered from it
	Last        time.Time
}

// NewHistory returns the history of a run without records.
func NewHistory() *History { return &History{Workloads: map[string]*Progress{}} }

// Workload returns the progress of a workload, empty before its first record.
func (h *History) Workload(name string) *Progress {
	p := h.Workloads[name]
	if p == nil {
		p = &Progress{Sessions: map[schedule.Arm]evidence.Session{},
			Crosses: map[schedule.Arm]evidence.CrossCheck{}}
		if h.Decided != nil {
			p.Further = len(h.Decided.Further)
		}
		h.Workloads[name] = p
	}
	return p
}

// Fold adds one record.
func (h *History) Fold(r journal.Record) error {
	h.Last = r.Time
	switch r.Kind {
	case KindDecided:
		return decode(r, func(id plan.Identity) { h.Decided = &id })
	case KindEvent, KindResumed, KindInterrupted:
		return h.foldEvent(r)
	case KindWarning:
		return decode(r, func(w Warning) {
			if w.Workload == "" {
				h.Warnings = append(h.Warnings, w.Warning)
			} else {
				p := h.Workload(w.Workload)
				p.Warnings = append(p.Warnings, w.Warning)
			}
		})
	case KindEnvironment:
		return decode(r, func(e Environment) { h.foldEnvironment(e) })
	case KindFailed:
		return decode(r, func(f failure.Failure) {
			h.Failure = &f
			h.event(r, f.Step+" failed: "+f.Cause)
		})
	case KindChecked:
		h.Checked = true
		return nil
	case KindFinished:
		return decode(r, func(f Finished) { h.Finished = &f })
	case KindReported:
		h.Reported = true
		return nil
	case KindOpened, KindSample, KindVerified, KindChallenge, KindDropped, KindProfiled:
		return h.foldProof(r)
	case KindProcesses, KindPreCheck, KindWarmupCount, KindInterim, KindBegun, KindMeasured:
		return h.foldStep(r)
	}
	return unknown(r)
}

func unknown(r journal.Record) error {
	return fmt.Errorf("journal record %d has the unknown kind %q: it was written by another version", r.Sequence, r.Kind)
}

// foldProof adds a record about proofs of a workload and the programs that make and verify them.
func (h *History) foldProof(r journal.Record) error {
	switch r.Kind {
	case KindOpened:
		return decode(r, func(o Opened) { h.Workload(o.Workload).opened(o) })
	case KindSample:
		return decode(r, func(s Sample) {
			h.Proofs++
			p := h.Workload(s.Workload)
			p.spend(r.Time)
			p.Samples = append(p.Samples, s.Sample)
		})
	case KindVerified:
		var outside error
		err := decode(r, func(v Verified) { outside = h.Workload(v.Workload).verified(v) })
		return errors.Join(err, outside)
	case KindChallenge:
		return decode(r, func(c Challenge) {
			p := h.Workload(c.Workload)
			if p.Challenges == nil {
				p.Challenges = map[schedule.Arm]evidence.Challenge{}
			}
			p.Challenges[c.Arm] = c.Challenge
		})
	case KindDropped:
		return decode(r, func(d Dropped) {
			h.Workload(d.Workload).drop(d)
			h.event(r, fmt.Sprintf("%s: pair %d is not counted: %s", d.Workload, d.Pair, evidence.CausesText(d.Causes)))
		})
	case KindProfiled:
		return h.foldProfile(r)
	}
	return unknown(r)
}

// foldStep adds a record about a step of measuring a workload.
func (h *History) foldStep(r journal.Record) error {
	switch r.Kind {
	case KindProcesses:
		return decode(r, func(l Processes) {
			h.Workload(l.Workload).Processes = &l.Processes
			h.event(r, l.Workload+": "+l.Text)
		})
	case KindPreCheck:
		return decode(r, func(t PreCheck) {
			h.Workload(t.Workload).PreCheck = &t
			h.event(r, t.Workload+": "+t.Text)
		})
	case KindWarmupCount:
		return decode(r, func(s WarmupCount) {
			h.Workload(s.Workload).WarmupCount = &s
			if s.Text != "" {
				h.event(r, s.Workload+": "+s.Text)
			}
		})
	case KindInterim:
		return decode(r, func(l Interim) {
			h.Workload(l.Workload).Interims = append(h.Workload(l.Workload).Interims, l)
			h.event(r, fmt.Sprintf("%s: interim analysis at %d pairs", l.Workload, l.Pairs))
		})
	case KindBegun:
		return decode(r, func(w Workload) { h.Workload(w.Workload).last = r.Time })
	case KindMeasured:
		return decode(r, func(m Workload) {
			p := h.Workload(m.Workload)
			p.spend(r.Time)
			p.Measured = true
		})
	}
	return unknown(r)
}

func (h *History) foldEvent(r journal.Record) error {
	return decode(r, func(e evidence.Event) {
		h.event(r, e.Text)
		switch r.Kind {
		case KindInterrupted:
			h.Interrupted = true
		case KindResumed:
			h.Resumed++
			h.Interrupted, h.Finished, h.Failure, h.Reported = false, nil, nil, false
		}
	})
}

// Ended reports whether no measurement can be added: the run is complete, or its failure is final.
func (h *History) Ended() bool { return h.Checked || h.Failure != nil && !h.Failure.Passing() }

// Cause returns the error that ended a run, nil if everything was measured.
func (h *History) Cause() error {
	if h.Failure == nil {
		return nil
	}
	return &failure.Error{Failure: *h.Failure}
}

func (h *History) event(r journal.Record, text string) {
	h.Events = append(h.Events, evidence.Event{Time: r.Time, Kind: r.Kind, Text: text})
}

// decode decodes the data of a record and passes it to use.
func decode[T any](r journal.Record, use func(T)) error {
	var data T
	if err := r.Decode(&data); err != nil {
		return err
	}
	use(data)
	return nil
}
