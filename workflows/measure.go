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

// MeasureOptions specify how the executor measures.
type MeasureOptions struct {
	// Bundle is the folder that Fetch wrote, Dependencies the one that FetchDependencies wrote (required if the plan
	// names some), and Out an empty folder for the result and the run.
	Bundle, Dependencies, Out string
	// Controls are passed to the harness.
	Controls harness.Controls
	// Log receives messages for the host's operator; a failed result contains the end of the log.
	Log io.Writer
	// Compare is harness.Compare, unless a test replaces it.
	Compare func(ctx context.Context, options harness.Options) (*harness.Report, error)
}

// graceBeforeDeadline is reserved for the running proof, the report and the upload.
const graceBeforeDeadline = 2 * time.Minute

// Measure compares the plan's two commits. It writes Out/result.json and Out/run, a copy of the files of the run's
// folder that may leave the host. An error concerns only the host: a regression, a failed proof or a head that does not
// build is a result.
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
	result := &result{Schema: ResultSchema, PlanHash: plan.Hash(), Base: plan.Base, Head: plan.Head, Started: started}
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

// NeedIsolation returns an error if this host cannot isolate. It is called for comments and nights before anything of a
// plan is unpacked: without isolation, the code of any branch could use the host's network, files and processes.
func NeedIsolation(ctx context.Context) error {
	if err := isolate.Available(ctx); err != nil {
		return fmt.Errorf("nothing is measured here, because this host cannot isolate: %w. "+
			"As root, `harness github runner --check --user USER` repeats this check", err)
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
			Analyses:    plan.Analyses,
			PreCheck:    plan.PreCheck,
			Isolate:     true,
			Sealed:      true,
			PullRequest: true,
			RandomSeed:  true, // head's author knows bench.yaml, and could prepare proofs of its seeds
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

// stopAt returns a channel that closes at the deadline or when asked closes, whichever is first, so that the harness
// can end properly with a partial report.
func stopAt(ctx context.Context, deadline time.Time, asked <-chan struct{}) (<-chan struct{}, func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	timer := time.NewTimer(time.Until(deadline))
	go func() {
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-asked: // a nil channel blocks forever
		case <-ctx.Done():
		case <-done:
			return
		}
		close(stop)
	}()
	return stop, func() { close(done) }
}

// tailWriter keeps the end of what is written to it.
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
