package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// A runner runs the programs of one arm on one workload: prover, verifier and hooks.
type runner struct {
	arm      schedule.Arm
	revision *plan.Revision
	built    *build.Result
	workload config.Workload
	inputs   map[string]string // of {input:PATH}, absolute
	dir      journal.Directory
	proofs   string // folder that the prover writes to
	homes    string // parent of the home folders of isolated programs
	handed   string // folder of copies of proofs for the verifier, hidden from an isolated prover
	// around, wrap and linger come from a stackTaker while call stacks are sampled; else they are zero.
	around func(begin func() error) error
	wrap   func() []string
	linger time.Duration
	stdin  string // file that its processes read; empty for none
	// profile is the file named by profileVariable; empty if the prover is asked for no profile.
	profile string
	// left names programs that outlived the arm's prover or verifier and were killed.
	left []string
}

func newRunner(arm schedule.Arm, r *plan.Revision, built *build.Result, w config.Workload, inputs map[string]string,
	dir journal.Directory) (*runner, error) {
	out := &runner{
		arm: arm, revision: r, built: built, workload: w, inputs: inputs, dir: dir,
		proofs: filepath.Join(dir.Proofs(), string(arm)), handed: filepath.Join(dir.Proofs(), string(arm)+"-handed"),
		homes: filepath.Join(dir.Proofs(), string(arm)+"-homes", filepath.Base(filepath.Dir(built.Worktree))),
	}
	return out, errors.Join(os.MkdirAll(out.proofs, 0o755), os.MkdirAll(out.handed, 0o755))
}

// log returns the path of the log of one of the arm's programs.
func (r *runner) log(program string) string {
	return filepath.Join(r.dir.Logs(), fmt.Sprintf("%s-%s-%s.log", r.workload.Name, r.arm, program))
}

// proofFile returns the path of a proof.
func (r *runner) proofFile(id int64) string {
	return filepath.Join(r.proofs, fmt.Sprintf("%s-%d.proof", r.workload.Name, id))
}

// metricsFile returns the path of the metrics file of a proof; empty if the command line has no placeholder for it.
func (r *runner) metricsFile(id int64) string {
	if r.workload.IsSession() || !r.workload.Process.Uses(config.MetricsFile) {
		return ""
	}
	return filepath.Join(r.proofs, fmt.Sprintf("%s-%d.metrics.json", r.workload.Name, id))
}

// argv fills a template and, if the arm is isolated, wraps it: the program may write to one folder and to its own home
// of this run.
func (r *runner) argv(t config.Template, values config.Values, writable string) ([]string, error) {
	values.Artifacts, values.Inputs = r.built.Artifacts, r.inputs
	argv, err := t.Expand(values)
	if err != nil || r.built.Isolation == nil {
		return argv, err
	}
	spec := r.built.Isolation.Clone()
	spec.Env = r.environment()
	spec.GPU = true
	spec.Scratch = filepath.Join(r.homes, filepath.Base(writable))
	spec.Mounts = append(spec.Mounts, isolate.Mount{Source: writable, Writable: true})
	for _, name := range slices.Sorted(maps.Keys(r.inputs)) {
		spec.Mounts = append(spec.Mounts, isolate.Mount{Source: r.inputs[name]})
	}
	if err := errors.Join(spec.Prepare(), spec.Check()); err != nil {
		return nil, err
	}
	return isolate.Wrap(spec, argv), nil
}

// environment returns the caller's environment, overridden by the workload's and then the arm's.
func (r *runner) environment() []string {
	extra := maps.Clone(r.workload.Env)
	if extra == nil {
		extra = map[string]string{}
	}
	maps.Copy(extra, r.revision.Env)
	if variable := r.workload.Adapter.FolderVariable(); variable != "" {
		extra[variable] = r.resultsFolder()
	}
	if r.profile != "" {
		extra[profileVariable] = r.profile
	}
	if r.built.Isolation != nil {
		return isolate.Environment(os.Environ(), extra)
	}
	env := build.CallerEnvironment()
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		env = append(env, name+"="+extra[name]) // the last one counts
	}
	return append(env, "PWD="+r.built.Worktree)
}

// command returns the command of one of the arm's programs, without arguments.
func (r *runner) command(program string) session.Command {
	return session.Command{
		Dir:      r.built.Worktree,
		Env:      r.environment(),
		Log:      r.log(program),
		Run:      r.dir.ID(),
		Timeout:  r.workload.Timeout,
		MaxProof: r.workload.MaxProof,
		Stdin:    r.stdin,
		Linger:   r.linger,
		Left:     func(programs []string) { r.left = append(r.left, programs...) },
	}
}

// wrapped returns the command line of the prover, with the prefix of the stackTaker.
func (r *runner) wrapped(t config.Template, values config.Values) ([]string, error) {
	argv, err := r.argv(t, values, r.proofs)
	if err == nil && r.wrap != nil {
		argv = append(r.wrap(), argv...)
	}
	return argv, err
}

// open starts the prover.
func (r *runner) open(ctx context.Context) (session.Prover, error) {
	command := r.command("prover")
	command.Around = r.around
	if !r.workload.IsSession() {
		process, err := r.process()
		if err != nil {
			return nil, err
		}
		return session.NewProcess(command, func(q session.Request) ([]string, error) {
			return r.wrapped(process, config.Values{Proof: q.Proof, Metrics: q.Metrics, Seed: q.Seed})
		}), nil
	}
	var err error
	if command.Argv, err = r.wrapped(r.workload.Session, config.Values{}); err != nil {
		return nil, r.failed(failure.StepSession, err)
	}
	s, err := session.Open(ctx, command)
	if err != nil {
		return nil, r.failed(failure.StepSession, err)
	}
	return s, nil
}

// process returns the command template of one proof: the arm's own if it has one, else the workload's.
func (r *runner) process() (config.Template, error) {
	if len(r.revision.Argv) == 0 {
		return r.workload.Process, nil
	}
	return config.ParseTemplate(r.revision.Argv)
}

// A refusal is the error of a verifier that ran and did not accept the proof.
type refusal struct {
	status string
	tail   string
}

func (e *refusal) Error() string { return e.status }

// verify runs the arm's verifier on a proof. It returns a refusal if the verifier does not accept.
func (r *runner) verify(ctx context.Context, proof string, sample evidence.Sample, b bond) (seconds float64,
	err error) {
	argv, err := r.argv(r.workload.Verify, config.Values{
		Proof:          proof,
		Seed:           sample.Seed,
		Statement:      b.statement,
		ExactStatement: b.exact,
	}, r.handed)
	if err != nil {
		return 0, err
	}
	started := time.Now()
	command := r.command("verifier")
	command.Argv = argv
	err = session.Run(ctx, command)
	seconds = time.Since(started).Seconds()
	var failed *session.Error
	if errors.As(err, &failed) {
		return seconds, &refusal{"the verifier did not accept the proof: " + failed.Cause, failed.Tail}
	}
	if err != nil {
		return seconds, err
	}
	// If the file is no longer the proof that was handed over, it is unknown what was verified.
	if err := copyWritten(ctx, proof, io.Discard, sample, r.workload.Timeout); err != nil {
		return seconds, fmt.Errorf("after its verifier: %w", err)
	}
	return seconds, nil
}

// failed turns an error into a failure with arm, revision and workload.
func (r *runner) failed(step string, err error) error {
	if full := fullDisk(r.proofs, step, err); full != nil {
		return full
	}
	f := failure.Failure{Step: step, Arm: r.arm, SHA: r.revision.SHA, Workload: r.workload.Name, Cause: err.Error()}
	var from *session.Error
	var refused *refusal
	switch {
	case errors.As(err, &from):
		f.Cause, f.LogTail, f.Log = from.Cause, from.Tail, r.dir.Relative(from.Log)
		f.Cause += r.readOnlyHint(f.Cause + f.LogTail)
	case errors.As(err, &refused):
		f.LogTail, f.Log = refused.tail, r.dir.Relative(r.log("verifier"))
		f.Cause += r.readOnlyHint(f.LogTail)
	case errors.Is(err, context.Canceled), errors.Is(err, exec.ErrWaitDelay):
		return err
	}
	return &failure.Error{Failure: f, Err: err}
}

// readOnlyHint returns advice if an isolated program tried to write into its worktree, else "". "Read-only file system"
// is the C library's text for EROFS.
func (r *runner) readOnlyHint(said string) string {
	if r.built.Isolation == nil || !strings.Contains(strings.ToLower(said), "read-only file system") {
		return ""
	}
	return " (a build is read-only while it is measured: a program that keeps a cache has to write it below $HOME or " +
		"$TMPDIR, or be built with it)"
}
