package workflows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/isolate"
)

// MeasureOptions say how the executor measures.
type MeasureOptions struct {
	// Bundle is the folder that Fetch made, Dependencies the one that FetchDependencies made (needed where the plan
	// names some), Out an empty folder for the result and the run.
	Bundle, Dependencies, Out string
	// Controls are handed to the harness.
	Controls harness.Controls
	// Log receives what a person at the host would want to read; its end travels with a failure.
	Log io.Writer
	// Compare is harness.Compare, unless a test has another.
	Compare func(ctx context.Context, options harness.Options) (*harness.Report, error)
}

// graceBeforeDeadline is left for the running proof, the report and the upload.
const graceBeforeDeadline = 2 * time.Minute

// Measure compares the plan's two commits and writes Out/result.json, whatever happens, and Out/run, a copy of what may
// leave the host of the run's folder. The error is of the host: a regression, a proof that fails or a head that does
// not build is a result.
func Measure(ctx context.Context, plan *Plan, options MeasureOptions) error {
	started := time.Now().UTC()
	log := &tailWriter{limit: maxLog / 2}
	if options.Log == nil {
		options.Log = io.Discard
	}
	options.Log = io.MultiWriter(options.Log, log)
	if options.Compare == nil {
		options.Compare = harness.Compare
	}
	result := &Result{Schema: ResultSchema, PlanHash: plan.Hash(), Base: plan.Base, Head: plan.Head, Started: started}
	if err := EmptyFolder(options.Out); err != nil {
		return err
	}
	report, err := measure(ctx, plan, &options, started)
	result.Report, result.Finished = report, time.Now().UTC()
	if err != nil {
		fmt.Fprintln(options.Log, err)
		if report == nil || report.Failure == nil {
			result.Report, result.Error = nil, err.Error()
		}
		result.Log = log.String()
	}
	data, err := result.Encode()
	if err != nil {
		return err
	}
	return WriteNew(filepath.Join(options.Out, ResultFile), data)
}

// NeedIsolation refuses an executor that cannot isolate. It is asked, for comments and nights alike, before anything of
// a plan is unpacked: without isolation the code of any branch would have the host's network, files and processes.
func NeedIsolation(ctx context.Context) error {
	if err := isolate.Available(ctx); err != nil {
		return fmt.Errorf("nothing is measured here, because this host cannot isolate: %w. "+
			"As root, `harness github runner --check --user USER` asks the host again", err)
	}
	return nil
}

func measure(ctx context.Context, plan *Plan, options *MeasureOptions, started time.Time) (*harness.Report, error) {
	if err := NeedIsolation(ctx); err != nil {
		return nil, err
	}
	deadline, err := plan.deadline(started)
	if err != nil {
		return nil, err
	}
	stop, release := stopAt(ctx, deadline.Add(-graceBeforeDeadline), options.Controls.Stop)
	defer release()
	options.Controls.Stop = stop
	repository := filepath.Join(options.Out, "repository")
	if err := OpenBundle(ctx, options.Bundle, repository, plan.Commits()); err != nil {
		return nil, err
	}
	report, err := options.Compare(ctx, harness.Options{
		Controls: options.Controls,
		Choices: harness.Choices{
			// Everything stays in the folder of the job, which the next job deletes.
			Directory:   repository,
			Builds:      filepath.Join(repository, ".chiasmus", "builds"),
			Config:      filepath.Join(options.Bundle, bundleConfig, config.FileName),
			Range:       plan.Base + ".." + plan.Head,
			Workloads:   plan.Workloads,
			Pairs:       plan.Pairs,
			Looks:       plan.Looks,
			Tier:        plan.Tier,
			Isolate:     true,
			Sealed:      true,
			PullRequest: true,
			DrawSeed:    true, // whoever wrote head knows bench.yaml, and could bring proofs of its seeds along
			Fetched:     plan.Dependencies.Fetched(options.Dependencies, plan.Head),
		},
	})
	if report != nil && report.Paths.Directory != "" {
		if err := HandOver(ctx, report.Paths.Directory, filepath.Join(options.Out, "run"), "", nil, options.Log); err != nil {
			fmt.Fprintln(options.Log, err)
		}
	}
	return report, err
}

// stopAt closes the returned channel at the deadline or when asked is closed, whichever comes first, so that the
// harness ends in order with a partial report.
func stopAt(ctx context.Context, deadline time.Time, asked <-chan struct{}) (<-chan struct{}, func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	timer := time.NewTimer(time.Until(deadline))
	go func() {
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-asked: // nil never delivers
		case <-ctx.Done():
		case <-done:
			return
		}
		close(stop)
	}()
	return stop, func() { close(done) }
}

// tailWriter keeps the end of what is written.
type tailWriter struct {
	limit  int
	buffer bytes.Buffer
}

func (writer *tailWriter) Write(data []byte) (int, error) {
	writer.buffer.Write(data)
	if extra := writer.buffer.Len() - 2*writer.limit; extra > 0 {
		writer.buffer.Next(extra)
	}
	return len(data), nil
}

func (writer *tailWriter) String() string { return tail(writer.buffer.String(), writer.limit) }
