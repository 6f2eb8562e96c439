package backendtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// delivered is an execution whose record sets reach a device in another way. It is used with [taking].
type delivered struct {
	machine.Execution
	device machine.DeviceRecords
	failed error // of filling a table on the host, or nil
}

func (d *delivered) Device() machine.DeviceRecords { return d.device }

// taking returns fillers whose host part accepts delivered executions.
func taking(fillers *machine.Fillers) *machine.Fillers {
	changed := *fillers
	changed.Tables = slices.Clone(fillers.Tables)
	for i, filler := range fillers.Tables {
		changed.Tables[i].Fill = func(pool *parallel.Pool, execution machine.Execution, instance int,
			columns [][]goldilocks.Element) error {
			own, ok := execution.(*delivered)
			if !ok {
				return filler.Fill(pool, execution, instance, columns)
			}
			if own.failed != nil {
				return own.failed
			}
			return filler.Fill(pool, own.Execution, instance, columns)
		}
	}
	return &changed
}

// errRun is the error of an execution that fails while its records arrive.
var errRun = errors.New("the run fails")

// growing delivers record sets in pieces. With an error, it fails after the first piece.
func growing(execution machine.Execution, failed error) *delivered {
	const pieces = 3
	d := &delivered{Execution: execution, failed: failed}
	for _, set := range execution.Records() {
		d.device.Words = append(d.device.Words, uint64(len(set)))
	}
	d.device.Grow = func(each func(known [][]uint64) error) error {
		for piece := 1; piece <= pieces; piece++ {
			known := slices.Clone(execution.Records())
			for i, set := range known {
				known[i] = set[:len(set)*piece/pieces]
			}
			if err := errors.Join(each(known), failed); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

// recordsArrive commits to main columns from records that reach a device as whole sets, in pieces, and as the execution
// itself delivers them: a run that a device replays has the records that the host makes. The error of an execution that
// fails is Trace's.
func recordsArrive(c *Case) error {
	want, err := c.mainColumns(c.Reference, func(e machine.Execution) machine.Execution { return e })
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	own := *c
	own.Fillers = taking(c.Fillers)
	for _, way := range []struct {
		name    string
		deliver func(machine.Execution) machine.Execution
		fails   bool
	}{
		{"whole record sets", func(e machine.Execution) machine.Execution { return &delivered{Execution: e} }, false},
		{"a run that fails", func(e machine.Execution) machine.Execution { return growing(e, errRun) }, true},
		{"record sets that grow", func(e machine.Execution) machine.Execution { return growing(e, nil) }, false},
		{"the execution's own way", func(e machine.Execution) machine.Execution {
			return &delivered{Execution: e, device: e.Device()}
		}, false},
	} {
		got, err := own.mainColumns(c.Backend, way.deliver)
		switch {
		case way.fails && !errors.Is(err, errRun):
			return fmt.Errorf("Trace: %s: error %v, want the run's", way.name, err)
		case !way.fails && err != nil:
			return fmt.Errorf("%s: %w", way.name, err)
		case !way.fails && !slices.Equal(got, want):
			return fmt.Errorf("%s: it commits to other main columns than the reference", way.name)
		}
	}
	return nil
}

// mainColumns returns the cap of the main columns of an execution that deliver changes.
func (c *Case) mainColumns(b backend.Backend,
	deliver func(machine.Execution) machine.Execution) (digests []merkle.Digest, err error) {
	execution, err := c.Execute(c.Sizes[1])
	if err != nil {
		return nil, err
	}
	err = c.opened(b, c.Params.Layout(), func(p backend.Prover) error {
		begun, err := p.Begin(execution.Instances())
		if err != nil {
			return err
		}
		defer begun.Close()
		w := newWalk(c.Fillers, execution, c.Params.Layout())
		if _, err = w.toMain(begun, deliver(execution)); err == nil {
			digests = w.noted[len(w.noted)-1].value.([]merkle.Digest)
		}
		return err
	})
	return digests, err
}

// changesArrive changes one cell, as a cheating prover does, and compares the main columns with the reference's.
func changesArrive(c *Case) error {
	own := *c
	own.Fillers = c.Fillers.Mutable()
	changed := false
	for _, column := range []int{0, len(c.Fillers.Machine.Tables[0].Main) - 1} {
		change := func(e machine.Execution) machine.Execution {
			return &machine.Mutated{Execution: e, Change: func(instance int, columns [][]goldilocks.Element) {
				if instance == 0 && column < len(columns) {
					columns[column][0] = columns[column][0].Add(1)
				}
			}}
		}
		want, errWant := own.mainColumns(c.Reference, change)
		if errors.Is(errWant, backend.ErrLookupMiss) {
			continue // Count refuses this change
		}
		got, err := own.mainColumns(c.Backend, change)
		if err := errors.Join(errWant, err); err != nil {
			return err
		}
		if changed = true; !slices.Equal(got, want) {
			return fmt.Errorf("column %d: it commits to other main columns than the reference", column)
		}
	}
	if !changed {
		return errors.New("every change is refused: another machine is needed")
	}
	return nil
}

// recordings are complete: the intervals of a proof lie between start and stop, and proofs are the same meanwhile.
func recordings(c *Case) error {
	size := c.Sizes[0]
	want, err := c.proofs(c.Reference, prove.Options{}, size)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	for range 2 {
		start := time.Now()
		if err := c.Backend.StartTrace(); err != nil {
			return fmt.Errorf("StartTrace: %w", err)
		}
		got, err := c.proofs(c.Backend, prove.Options{}, size)
		intervals, errStop := c.Backend.StopTrace()
		if err := errors.Join(err, errStop); err != nil {
			return err
		}
		if !bytes.Equal(got[0], want[0]) {
			return errors.New("the proof that is recorded is another one")
		}
		if err := checkIntervals(intervals, start, time.Now()); err != nil {
			return err
		}
		if len(intervals) == 0 && c.Backend.OnDevice() {
			return errors.New("StopTrace: it returns nothing of the device's work")
		}
	}
	return nil
}

// clockSlack is how far the clocks of a device and of the host may be apart.
const clockSlack = 5 * time.Millisecond

func checkIntervals(intervals []backend.Interval, start, stop time.Time) error {
	for _, i := range intervals {
		switch {
		case i.Name == "" || i.Track == "":
			return fmt.Errorf("StopTrace: an interval has name %q and track %q, want both", i.Name, i.Track)
		case i.Took < 0 || i.Start.Before(start.Add(-clockSlack)) || i.Start.Add(i.Took).After(stop.Add(clockSlack)):
			return fmt.Errorf("StopTrace: %s ran from %v for %v, and the trace took %v", i.Name, i.Start.Sub(start), i.Took,
				stop.Sub(start))
		}
	}
	return nil
}
