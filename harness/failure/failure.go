package failure

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// Failure says what ended a run.
type Failure struct {
	// Step is one of Steps.
	Step     string       `json:"step"`
	Arm      schedule.Arm `json:"arm,omitempty"`
	SHA      string       `json:"sha,omitempty"`
	Workload string       `json:"workload,omitempty"`
	Cause    string       `json:"cause"`
	// LogTail is the end of the log of the failed program. Log is the path of the log relative to the run directory.
	LogTail string `json:"log_tail,omitempty"`
	Log     string `json:"log,omitempty"`
	// Proof is the path of a refused proof, kept on the measuring host for inspection.
	Proof string `json:"proof,omitempty"`
}

// OfBuild reports whether the build of an arm failed. It is false for nil.
func (f *Failure) OfBuild(arm schedule.Arm) bool {
	return f != nil && f.Step == StepBuild && f.Arm == arm
}

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
	StepArtifacts   = "artifacts" // they changed after the build
	StepEnvironment = "environment"
	StepSetup       = "setup"   // a hook of the workload
	StepPrepare     = "prepare" // a hook of the workload
	StepSession     = "session"
	StepProof       = "proof"
	StepVerify      = "verify"
	StepExpect      = "expect"
	StepStatement   = "statement"
	StepCross       = "cross" // base's verifier on head's proof
	StepTimes       = "times" // prove_seconds against the harness's own clock
	StepIdle        = "idle"  // work of a waiting session
	StepStatistics  = "statistics"
	StepHarness     = "harness" // the harness could not write its files
)

// Steps lists the steps.
var Steps = []string{
	StepBuild, StepArtifacts, StepEnvironment, StepSetup, StepPrepare,
	StepSession, StepProof, StepVerify, StepExpect, StepStatement, StepCross, StepTimes,
	StepIdle, StepStatistics, StepHarness,
}

// A UsageError is an error that the caller can correct: exit code 2.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// Usage returns a UsageError with a formatted message.
func Usage(format string, arguments ...any) error {
	return &UsageError{fmt.Errorf(format, arguments...)}
}

// Passing reports whether a failure says nothing about the revisions, so that the run can be resumed later: the harness
// could not write its files, or the host was busy, not quiet or could not isolate. A failure for too many dropped pairs
// names a workload; it is a result.
func (f Failure) Passing() bool {
	return f.Step == StepHarness || f.Step == StepEnvironment && f.Workload == ""
}

// An Error ends a run with exit code 3, or 4 if the environment is the cause.
type Error struct {
	Failure Failure
	Err     error // what it came from; may be nil
}

func (e *Error) Unwrap() error { return e.Err }

// Error names arm, revision, workload, step and cause, with the end of the log.
func (e *Error) Error() string {
	f := e.Failure
	if f.LogTail == "" {
		return e.Summary()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  the end of the log", e.Summary())
	if f.Log != "" {
		fmt.Fprintf(&b, " (%s)", f.Log)
	}
	fmt.Fprintf(&b, ":\n    %s", strings.ReplaceAll(f.LogTail, "\n", "\n    "))
	return b.String()
}

// Summary is Error without the log, for a caller that has shown a report with its end.
func (e *Error) Summary() string {
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
	return b.String()
}

// ErrInterrupted ends a run that was asked to stop: exit code 130.
var ErrInterrupted = errors.New("interrupted")

// Code returns the exit code of an error.
func Code(err error) int {
	var wrong *UsageError
	var failed *Error
	var busy *journal.BusyError
	switch {
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.As(err, &wrong):
		return ExitUsage
	case errors.As(err, &failed) && failed.Failure.Step == StepEnvironment, errors.As(err, &busy):
		return ExitUnfit
	}
	return ExitFailed
}
