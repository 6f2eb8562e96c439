package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/fleet"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// fleetFlags are the flags for a fleet's server and hosts.
type fleetFlags struct {
	server  bus.Options
	hosts   string
	giveUp  time.Duration
	without []string
}

// register adds the flags of a coordinator.
func (f *fleetFlags) register(flags *pflag.FlagSet) {
	f.dialing(flags)
	flags.DurationVar(&f.giveUp, "give-up", 5*time.Minute,
		"with --hosts: report without a host that has been silent for `DURATION`; its run can be continued later")
	flags.StringSliceVar(&f.without, "without", nil,
		"with --hosts: leave out host `NAME` permanently if it has no result (repeat, or separate with commas)")
}

// dialing adds the flags of a client.
func (f *fleetFlags) dialing(flags *pflag.FlagSet) {
	flags.StringVar(&f.server.URL, "nats", "", "the fleet's server, `URL` such as nats://HOST:4223")
	flags.StringVar(&f.server.Credential, "credential", "",
		"`FILE` with the credential, from the folder credentials of the server")
	flags.StringVar(&f.server.Authority, "ca", "", "PEM `FILE` with the certificate authority of the server")
}

// anybody stands for a connection that any credential of the fleet may make.
const anybody = "any"

// enter connects to the fleet. The returned context is cancelled with ctx, and when the server denies the credential a
// permission: see denied.
func (a *app) enter(ctx context.Context, f fleetFlags, name string) (context.Context, *bus.Bus, *fleet.Space, error) {
	if f.server.URL == "" {
		return ctx, nil, nil, &failure.UsageError{Err: errors.New("no server: want --nats nats://HOST:4223, as printed by " +
			"`harness fleet serve`")}
	}
	f.server.Name, f.server.Log = name, func(line string) { a.logf("%s", line) }
	ctx, end := context.WithCancelCause(ctx)
	f.server.Denied = func(err error) {
		end(&failure.UsageError{Err: fmt.Errorf("%w: want --credential %s.nk, from the server's folder credentials", err,
			name)})
	}
	b, err := bus.Dial(f.server)
	if err != nil {
		return ctx, nil, nil, &failure.UsageError{Err: err}
	}
	open := fleet.Open
	if name == fleet.CoordinatorRole {
		if err := b.CanSeal(); err != nil {
			b.Close()
			return ctx, nil, nil, &failure.UsageError{Err: fmt.Errorf("%w: want --credential %s.nk, from the server's folder "+
				"credentials, or another that was created with --role %s", err, name, name)}
		}
		open = fleet.Enter
	}
	space, err := open(ctx, b)
	if err != nil {
		b.Close()
		return ctx, nil, nil, denied(ctx, err)
	}
	return ctx, b, space, nil
}

// denied returns the error that the server denied a permission if that is the cause of err, else err.
func denied(ctx context.Context, err error) error {
	var usage *failure.UsageError
	if cause := context.Cause(ctx); err != nil && errors.As(cause, &usage) {
		return cause
	}
	return err
}

// compareHosts orders a comparison from several agents, waits for their results, and reports.
func (a *app) compareHosts(ctx context.Context, f runFlags) error {
	o := f.options
	switch {
	case o.Dirty:
		return a.fail(nil, &failure.UsageError{Err: errors.New("--dirty with --hosts: agents measure only commits")})
	case o.PreCheck != 0:
		return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("--precheck %d with --hosts: hosts measure only pairs",
			o.PreCheck)})
	case o.Analyses > 1:
		return a.fail(nil, &failure.UsageError{Err: fmt.Errorf(
			"--analyses %d with --hosts: want 1, because several hosts make no interim analysis", o.Analyses)})
	case o.Seed != 0:
		return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("--seed %d with --hosts: each host chooses its own "+
			"seed", o.Seed)})
	}
	o.Analyses, o.PairsOnly = 1, true
	forecast, err := harness.Predict(ctx, o)
	if err != nil {
		return a.fail(nil, err)
	}
	ctx, b, space, err := a.enter(ctx, f.fleet, fleet.CoordinatorRole)
	if err != nil {
		return a.fail(nil, err)
	}
	defer b.Close()
	hosts, err := space.Choose(ctx, f.fleet.hosts, o.Isolate)
	if err != nil {
		return a.fail(nil, &failure.UsageError{Err: err})
	}
	d := forecast.Decision
	job := fleet.Job{
		Schema:       fleet.JobSchema,
		Job:          jobName(d),
		Created:      time.Now().UTC(),
		Hosts:        hosts,
		Config:       d.Config,
		ConfigSHA256: d.ConfigSHA256,
	}
	order := fleet.Order{
		Schema:                  fleet.OrderSchema,
		Job:                     job.Job,
		Created:                 job.Created,
		Base:                    d.Base.SHA,
		Head:                    d.Head.SHA,
		Workloads:               d.Workloads,
		Pairs:                   d.Plan.Pairs,
		BaseEnv:                 o.BaseEnv,
		HeadEnv:                 o.HeadEnv,
		AllowDifferentStatement: o.AllowDifferentStatement,
		NewProofFormat:          o.NewProofFormat,
		RequireQuiet:            o.RequireQuiet,
		Isolate:                 o.Isolate,
	}
	a.logf("job %s: %.7s..%.7s on %s", job.Job, order.Base, order.Head, strings.Join(hosts, ", "))
	if err := space.Pack(ctx, &order, a.repository(), d.Config, a.logf); err != nil {
		return a.fail(nil, denied(ctx, err))
	}
	if err := a.keepJob(job); err != nil {
		return a.fail(nil, err)
	}
	if err := space.Place(ctx, job, order); err != nil {
		return a.fail(nil, denied(ctx, err))
	}
	return a.follow(ctx, space, job, f)
}

// jobName names a job by time, revisions and a random suffix.
func jobName(d *plan.Decision) string {
	return fmt.Sprintf("%s-%.7s-%.7s-%s", time.Now().UTC().Format("20060102T150405Z"), d.Base.SHA, d.Head.SHA,
		strings.ToLower(rand.Text()[:6]))
}

// jobFolder returns the folder of a job and its report.
func (a *app) jobFolder(job string) string {
	return filepath.Join(a.directory, ".chiasmus", "fleet", job)
}

// keepJob stores a job, so that it can be followed again.
func (a *app) keepJob(job fleet.Job) error {
	folder := a.jobFolder(job.Job)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(job, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "job.json"), append(data, '\n'), 0o644)
}

// follow waits for the hosts of a job, joins their results and prints the report.
func (a *app) follow(ctx context.Context, space *fleet.Space, job fleet.Job, f runFlags) error {
	file, err := config.Load(job.Config)
	if err == nil && file.SHA256 != job.ConfigSHA256 {
		err = fmt.Errorf("%s has changed since job %s was started: restore it", job.Config, job.Job)
	}
	if err != nil {
		return a.fail(nil, &failure.UsageError{Err: err})
	}
	results, err := space.Follow(ctx, job, fleet.Following{
		GiveUp: f.fleet.giveUp,
		Stop:   a.stop,
		Tell:   a.tell,
		Say:    func(line string) { a.logf("%s", line) },
		Gone:   a.gone,
	})
	if err != nil {
		return a.fail(nil, err)
	}
	if len(results.Missing) > 0 {
		a.logf("to wait longer, or once a host is back: harness fleet follow %s", job.Job)
	}
	if err := checkHosts(file, results.Reports, f.options.Isolate); err != nil {
		return a.fail(nil, &failure.Error{Failure: failure.Failure{Step: failure.StepStatistics, Cause: err.Error()}})
	}
	report, err := harness.Join(file, results.Reports, harness.JoinOptions{
		Hosts:   len(job.Hosts),
		Missing: results.Missing,
		Without: f.fleet.without,
		FailOn:  f.options.FailOn,
		Command: append([]string{"harness"}, a.args...),
		Version: version(),
	})
	if err != nil {
		return a.fail(nil, err)
	}
	folder := a.jobFolder(job.Job)
	report.Paths = harness.PathsIn(folder)
	if err := harness.WriteReport(folder, report, renderers, tables); err != nil {
		return a.fail(report, err)
	}
	taken := []string{}
	for _, r := range results.Reports {
		taken = append(taken, r.Name)
	}
	if err := space.Withdraw(ctx, job.Job, taken...); err != nil {
		a.logf("the hosts do not delete their folders of job %s: %v", job.Job, err)
	}
	return a.conclude(report, nil, f.output)
}

// tell prints a message from a host. Its text is not trusted.
func (a *app) tell(host string, progress fleet.Progress) {
	text := progress.Text
	switch {
	case progress.State == fleet.Ended && progress.Error != "":
		text = "ended without a report: " + progress.Error
	case progress.State == fleet.Ended:
		text = "done"
	case progress.State == fleet.Stopped:
		text = "stopped: " + progress.Text
	case text == "":
		text = fmt.Sprintf("%s: %d of %d pairs", progress.Workload, progress.Pairs, progress.PairsPlanned)
	}
	a.logf("harness: %s: %s", host, document.CleanLog(text))
}

// gone prints that a host is silent, or back.
func (a *app) gone(host string, back bool) {
	if back {
		a.logf("%s is back", host)
		return
	}
	a.logf("%s is silent: its run continues when its agent is back; the other hosts continue meanwhile", host)
}
