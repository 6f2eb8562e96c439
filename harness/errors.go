package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/stats"
)

// The exit codes of every command.
const (
	ExitOK          = 0   // no regression
	ExitRegression  = 1   // regression, or a verdict that --fail-on names
	ExitUsage       = 2   // usage or configuration, an unknown revision included
	ExitFailed      = 3   // a build, session, proof, expect or verification failed
	ExitUnfit       = 4   // the environment is unfit
	ExitInterrupted = 130 // interrupted
)

// The steps at which a run can fail.
const (
	StepBuild       = "build"
	StepArtifacts   = "artifacts" // they are not what was built
	StepEnvironment = "environment"
	StepSetup       = hookSetup   // a hook of the workload
	StepPrepare     = hookPrepare // likewise
	StepSession     = "session"
	StepProof       = "proof"
	StepVerify      = "verify"
	StepExpect      = "expect"
	StepStatement   = "statement"
	StepCross       = "cross" // base's verifier on head's proof
	StepTimes       = "times" // prove_seconds against the harness's own clock
	StepIdle        = "idle"  // what a waiting session takes
	StepStatistics  = "statistics"
	StepHarness     = "harness" // its own files
)

// Steps lists them.
var Steps = []string{
	StepBuild, StepEnvironment, StepSetup, StepPrepare,
	StepSession, StepProof, StepVerify, StepExpect, StepStatement, StepCross, StepTimes,
	StepIdle, StepStatistics, StepHarness,
}

// A UsageError is something the caller has to change: exit code 2.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, arguments ...any) error {
	return &UsageError{fmt.Errorf(format, arguments...)}
}

// passing says that a failure tells nothing about the revisions, so that the run can be gone on with once it is over:
// the harness could not write its own files, or the host was busy, not quiet or without isolation. A host on which too
// many pairs were dropped has a workload, and is a result.
func (f Failure) passing() bool {
	return f.Step == StepHarness || f.Step == StepEnvironment && f.Workload == ""
}

// A FailureError ends a run with exit code 3, or 4 where the environment is the reason.
type FailureError struct {
	Failure Failure
	Err     error // what it came from; may be nil
}

func (e *FailureError) Unwrap() error { return e.Err }

// Error names arm, revision, workload, step and cause, with the end of the log.
func (e *FailureError) Error() string {
	f := e.Failure
	var where []string
	if f.Arm != "" {
		where = append(where, fmt.Sprintf("%s %.7s", f.Arm, f.SHA))
	}
	if f.Workload != "" {
		where = append(where, "workload "+f.Workload)
	}
	var b strings.Builder
	if len(where) > 0 {
		b.WriteString(strings.Join(where, ", ") + ": ")
	}
	fmt.Fprintf(&b, "%s failed: %s", f.Step, f.Cause)
	if f.Proof != "" {
		fmt.Fprintf(&b, "\n  the proof is kept: %s", f.Proof)
	}
	if f.LogTail != "" {
		fmt.Fprintf(&b, "\n  the end of the log")
		if f.Log != "" {
			fmt.Fprintf(&b, " (%s)", f.Log)
		}
		fmt.Fprintf(&b, ":\n    %s", strings.ReplaceAll(f.LogTail, "\n", "\n    "))
	}
	return b.String()
}

// ErrInterrupted ends a run that was asked to stop: exit code 130.
var ErrInterrupted = errors.New("interrupted")

// ExitCode returns the exit code of what Compare or Resume returned. Where several hold, the order is 130, 2, 3, 4, 1,
// 0.
func ExitCode(r *Report, err error) int {
	var wrong *UsageError
	var failed *FailureError
	var busy *journal.BusyError
	switch {
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.As(err, &wrong):
		return ExitUsage
	case errors.As(err, &failed) && failed.Failure.Step == StepEnvironment, errors.As(err, &busy):
		return ExitUnfit
	case err != nil:
		return ExitFailed
	}
	return r.ExitCode
}

// verdictCode is the exit code of a complete run.
func verdictCode(workloads []Workload, failOn []stats.Verdict) int {
	for _, w := range workloads {
		if w.Stats != nil && (w.Verdict() == stats.Regression || slices.Contains(failOn, w.Verdict())) {
			return ExitRegression
		}
	}
	return ExitOK
}

// ParseFailOn reads the verdicts of --fail-on.
func ParseFailOn(names []string) ([]stats.Verdict, error) {
	var verdicts []stats.Verdict
	for _, name := range names {
		v := stats.Verdict(strings.TrimSpace(name))
		if !slices.Contains(stats.Verdicts, v) {
			return nil, usage("--fail-on %s: want some of %s", name, joinVerdicts())
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

func joinVerdicts() string {
	names := make([]string, len(stats.Verdicts))
	for i, v := range stats.Verdicts {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
