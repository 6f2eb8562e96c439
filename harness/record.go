package harness

import (
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// The kinds of journal record. Each is written before anybody acts on what it says.
const (
	recordDecided     = "decided"     // identity: what the run measures, and how
	recordEvent       = "event"       // Event
	recordWarning     = "warning"     // workloadWarning
	recordResumed     = "resumed"     // Event
	recordEnvironment = "environment" // environmentRecord
	recordBegun       = "begun"       // workloadRecord: the workload's measurement begins or goes on
	recordOpened      = "opened"      // openedRecord
	recordTier        = "tier"        // tierRecord: how the first tier went, written when it has ended
	// launchesRecord: how many processes of either arm measure, decided before the first measured proof.
	recordLaunches = "launches"
	recordSettled  = "settled"  // settledRecord: how many warm-up proofs a start takes, decided by the first one
	recordSample   = "sample"   // sampleRecord
	recordVerified = "verified" // verifiedRecord: what the verifiers said of a sample
	// challengeRecord: what a verifier said of what it has to refuse.
	recordChallenge = "challenge"
	recordDropped   = "dropped"  // droppedRecord
	recordLook      = "look"     // lookRecord
	recordMeasured  = "measured" // workloadRecord: the workload's measurement has ended
	// Nothing: all workloads have ended, and the builds are still those that were measured.
	recordChecked     = "checked"
	recordProfiled    = "profiled"    // profiledRecord: in which functions the arms spend their time
	recordFailed      = "failed"      // Failure
	recordInterrupted = "interrupted" // Event
	recordFinished    = "finished"    // finishedRecord
	recordReported    = "reported"    // nothing: the reports of what is finished are written
)

type workloadWarning struct {
	Workload string `json:"workload,omitempty"`
	Warning
}

type openedRecord struct {
	Workload string  `json:"workload"`
	Arm      Arm     `json:"arm"`
	Session  Session `json:"session"`
}

type launchesRecord struct {
	Workload string `json:"workload"`
	Launches int    `json:"launches"`
	Text     string `json:"text"` // why
}

// settledRecord is what the warm-up proofs of the first start showed.
type settledRecord struct {
	Workload string `json:"workload"`
	Proofs   int    `json:"proofs"` // of either arm at that start
	More     int    `json:"more"`   // beyond plan.warmup, that every later start takes
	Text     string `json:"text"`   // empty where there was nothing to say
}

type sampleRecord struct {
	Workload string `json:"workload"`
	Sample
}

// verifiedRecord is of the sample at that place among those of the workload, from 0.
type verifiedRecord struct {
	Workload      string  `json:"workload"`
	Sample        int     `json:"sample"`
	Verified      bool    `json:"verified"`
	VerifySeconds float64 `json:"verify_seconds"`
	// Cross is what base's verifier said of a proof of head.
	Cross *crossResult `json:"cross,omitempty"`
}

type crossResult struct {
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"` // what the verifier said when it refused
}

type droppedRecord struct {
	Workload string  `json:"workload"`
	Pair     int     `json:"pair"`
	Attempt  int     `json:"attempt"`
	Causes   []Cause `json:"causes"`
}

type lookRecord struct {
	Workload string `json:"workload"`
	Pairs    int    `json:"pairs"`
	Stopped  bool   `json:"stopped"`
}

type workloadRecord struct {
	Workload string `json:"workload"`
}

type finishedRecord struct {
	State    State `json:"state"`
	ExitCode int   `json:"exit_code"`
}

// history is what the journal has told so far: the fold of its records.
type history struct {
	decided     *identity
	workloads   map[string]*progress
	start, end  *environment.Snapshot // at the first start and the last end
	warnings    []Warning
	events      []Event
	failure     *Failure
	interrupted bool
	checked     bool
	finished    *finishedRecord
	reported    bool
	resumed     int
	proofs      int64 // made in all, which numbers requests
	last        time.Time
}

// progress is what the journal has told about one workload.
type progress struct {
	samples  Samples
	sessions map[Arm]Session
	cross    CrossCheck
	warnings []Warning
	looks    []lookRecord
	launches *int           // nil before it was decided
	settled  *settledRecord // nil before the first start is warm, and where no drift is looked for
	tier     *tierRecord    // nil before the first tier has ended, and without one
	measured bool
	profile  *CodeProfile // nil where none was asked for, and before it was taken
	// challenges are those made of the verifiers so far.
	challenges map[Arm]Challenge
	// seconds is the time between the records of this workload; last is zero while nobody measures it.
	seconds float64
	last    time.Time
}

func newHistory() *history { return &history{workloads: map[string]*progress{}} }

// workload returns the progress of a workload, empty before its first record.
func (h *history) workload(name string) *progress {
	p := h.workloads[name]
	if p == nil {
		p = &progress{sessions: map[Arm]Session{}}
		h.workloads[name] = p
	}
	return p
}

// fold adds one record.
func (h *history) fold(r journal.Record) error {
	h.last = r.Time
	switch r.Kind {
	case recordDecided:
		return decode(r, func(id identity) { h.decided = &id })
	case recordEvent, recordResumed, recordInterrupted:
		return h.foldEvent(r)
	case recordWarning:
		return decode(r, func(w workloadWarning) {
			if w.Workload == "" {
				h.warnings = append(h.warnings, w.Warning)
			} else {
				p := h.workload(w.Workload)
				p.warnings = append(p.warnings, w.Warning)
			}
		})
	case recordEnvironment:
		return decode(r, func(e environmentRecord) { h.foldEnvironment(e) })
	case recordOpened:
		return decode(r, func(o openedRecord) { h.workload(o.Workload).opened(o) })
	case recordSample:
		return decode(r, func(s sampleRecord) {
			h.proofs++
			p := h.workload(s.Workload)
			p.spend(r.Time)
			p.samples = append(p.samples, s.Sample)
		})
	case recordVerified:
		var outside error
		err := decode(r, func(v verifiedRecord) { outside = h.workload(v.Workload).verified(v) })
		return errors.Join(err, outside)
	case recordChallenge:
		return decode(r, func(c challengeRecord) {
			p := h.workload(c.Workload)
			if p.challenges == nil {
				p.challenges = map[Arm]Challenge{}
			}
			p.challenges[c.Arm] = c.Challenge
		})
	case recordDropped:
		return decode(r, func(d droppedRecord) {
			h.workload(d.Workload).drop(d)
			h.event(r, fmt.Sprintf("%s: pair %d is not counted: %s", d.Workload, d.Pair, causesText(d.Causes)))
		})
	case recordLaunches:
		return decode(r, func(l launchesRecord) {
			h.workload(l.Workload).launches = &l.Launches
			h.event(r, l.Workload+": "+l.Text)
		})
	case recordTier:
		return decode(r, func(t tierRecord) {
			h.workload(t.Workload).tier = &t
			h.event(r, t.Workload+": "+t.Text)
		})
	case recordSettled:
		return decode(r, func(s settledRecord) {
			h.workload(s.Workload).settled = &s
			if s.Text != "" {
				h.event(r, s.Workload+": "+s.Text)
			}
		})
	case recordLook:
		return decode(r, func(l lookRecord) {
			h.workload(l.Workload).looks = append(h.workload(l.Workload).looks, l)
			h.event(r, fmt.Sprintf("%s: look at %d pairs", l.Workload, l.Pairs))
		})
	case recordBegun:
		return decode(r, func(w workloadRecord) { h.workload(w.Workload).last = r.Time })
	case recordMeasured:
		return decode(r, func(m workloadRecord) {
			p := h.workload(m.Workload)
			p.spend(r.Time)
			p.measured = true
		})
	case recordFailed:
		return decode(r, func(f Failure) {
			h.failure = &f
			h.event(r, f.Step+" failed: "+f.Cause)
		})
	case recordChecked:
		h.checked = true
		return nil
	case recordProfiled:
		return h.foldProfile(r)
	case recordFinished:
		return decode(r, func(f finishedRecord) { h.finished = &f })
	case recordReported:
		h.reported = true
		return nil
	}
	return fmt.Errorf("journal record %d has the unknown kind %q: it was written by another version", r.Sequence, r.Kind)
}

func (h *history) foldEvent(r journal.Record) error {
	return decode(r, func(e Event) {
		h.event(r, e.Text)
		switch r.Kind {
		case recordInterrupted:
			h.interrupted = true
		case recordResumed:
			h.resumed++
			h.interrupted, h.finished, h.failure, h.reported = false, nil, nil, false
		}
	})
}

// ended says whether nothing can be added to what was measured: it is whole, or it failed for a reason that stays.
func (h *history) ended() bool { return h.checked || h.failure != nil && !h.failure.passing() }

// cause is the error with which a run ended, nil where all was measured.
func (h *history) cause() error {
	if h.failure == nil {
		return nil
	}
	return &FailureError{Failure: *h.failure}
}

func (h *history) event(r journal.Record, text string) {
	h.events = append(h.events, Event{Time: r.Time, Kind: r.Kind, Text: text})
}

// decode reads the data of a record and hands it on.
func decode[T any](r journal.Record, use func(T)) error {
	var data T
	if err := r.Decode(&data); err != nil {
		return err
	}
	use(data)
	return nil
}

// spend adds the time since the record before. What a run that was killed did after its last record is not known.
func (p *progress) spend(now time.Time) {
	p.seconds += now.Sub(p.last).Seconds()
	p.last = now
}

// opened remembers what a session said when it was first opened, and counts its starts.
func (p *progress) opened(o openedRecord) {
	session, again := p.sessions[o.Arm]
	if !again {
		session = o.Session
	}
	session.Starts++
	p.sessions[o.Arm] = session
}

// verified marks a sample.
func (p *progress) verified(v verifiedRecord) error {
	if v.Sample < 0 || v.Sample >= len(p.samples) {
		return fmt.Errorf("the journal has a verification of sample %d of %d of workload %s", v.Sample, len(p.samples),
			v.Workload)
	}
	s := &p.samples[v.Sample]
	s.Verified, s.VerifySeconds = v.Verified, v.VerifySeconds
	if v.Cross == nil {
		return nil
	}
	p.cross.Done, p.cross.Proofs = true, p.cross.Proofs+1
	if !v.Cross.Accepted {
		p.cross.Refused++
		p.cross.Text = v.Cross.Text
	}
	p.cross.Accepted = p.cross.Refused == 0
	return nil
}

// drop marks the samples of an attempt.
func (p *progress) drop(d droppedRecord) {
	for i := range p.samples {
		s := &p.samples[i]
		if s.Kind == Measured && s.Pair == d.Pair && s.Attempt == d.Attempt {
			s.Dropped = true
			if len(s.Causes) == 0 && len(d.Causes) > 0 && d.Causes[0].Kind == causeInterrupted {
				s.Causes = d.Causes
			}
		}
	}
}

// causeInterrupted is the cause of a pair whose second half was never measured.
const causeInterrupted = "interrupted"

// attempt is one measurement of a pair: the places of its samples, -1 for one that is not there or was not verified.
type attempt struct {
	pair, number int
	base, head   int
	dropped      bool
}

func (a attempt) whole() bool { return a.base >= 0 && a.head >= 0 }

// attempts groups the measured samples, in the order of their first one.
func (p *progress) attempts() []attempt {
	var all []attempt
	place := map[[2]int]int{}
	for i, s := range p.samples {
		if s.Kind != Measured {
			continue
		}
		key := [2]int{s.Pair, s.Attempt}
		at, ok := place[key]
		if !ok {
			at = len(all)
			place[key] = at
			all = append(all, attempt{pair: s.Pair, number: s.Attempt, base: -1, head: -1})
		}
		switch {
		case !s.Verified && !s.Unchecked:
		case s.Arm == Base:
			all[at].base = i
		default:
			all[at].head = i
		}
		all[at].dropped = all[at].dropped || s.Dropped
	}
	return all
}

// counted returns the pairs that count, in the order they were measured.
func (p *progress) counted(metric string) []Pair {
	var pairs []Pair
	for _, a := range p.attempts() {
		if a.dropped || !a.whole() {
			continue
		}
		base, head := p.samples[a.base], p.samples[a.head]
		pairs = append(pairs, Pair{
			Number: a.pair, Block: base.Block, Order: base.Order, Seed: base.Seed, Attempt: a.number,
			A: base.Metrics[metric], B: head.Metrics[metric], Base: a.base, Head: a.head,
		})
	}
	return pairs
}

// tries returns how often a pair was begun.
func (p *progress) tries(pair int) int {
	most := 0
	for _, s := range p.samples {
		if s.Pair == pair {
			most = max(most, s.Attempt)
		}
	}
	return most
}

// causesText lists causes in one line.
func causesText(causes []Cause) string {
	text := ""
	for i, c := range causes {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s (%s)", c.Text, c.Arm)
	}
	return text
}
