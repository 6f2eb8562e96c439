package plan

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// Decide decides everything that needs no build. It returns no repository for a run of commands. The number of pairs of
// commands stays open unless the caller gives it: see Probed.
func Decide(ctx context.Context, options Options) (*revision.Repository, *Decision, error) {
	directory, err := filepath.Abs(options.Directory)
	if err != nil {
		return nil, nil, err
	}
	d := &Decision{
		Schema:                  runSchema,
		Kind:                    options.Kind,
		Command:                 options.Command,
		Version:                 options.Version,
		Created:                 time.Now().UTC(),
		Directory:               directory,
		Range:                   options.Range,
		Sealed:                  options.Sealed,
		Fetched:                 options.Fetched,
		AllowDifferentStatement: options.AllowDifferentStatement,
		NewProofFormat:          options.NewProofFormat,
		PullRequest:             options.PullRequest,
		RequireQuiet:            options.RequireQuiet,
		FailOn:                  options.FailOn,
		KeepHead:                options.KeepHead,
		Warnings:                []Warning{},
	}
	if d.Kind == "" {
		d.Kind = KindCompare
	}
	if options.Commands != nil {
		if err := d.decideCommands(ctx, options); err != nil {
			return nil, nil, err
		}
		return nil, d, d.rate()
	}
	if err := d.configure(options); err != nil {
		return nil, nil, err
	}
	repository, err := revision.Open(directory, d.Git())
	if err != nil {
		return nil, nil, failure.Usage("%w", err)
	}
	if err := d.resolve(ctx, repository, options); err != nil {
		return nil, nil, err
	}
	return repository, d, d.rate()
}

// rate counts the earlier runs in this folder.
func (d *Decision) rate() error {
	runs, err := journal.List(journal.RunsFolder(d.Directory))
	d.Rate = rateOf(runs, d.Created)
	return err
}

// configure reads bench.yaml and fixes workloads and plan.
func (d *Decision) configure(options Options) error {
	if err := d.load(options); err != nil {
		return err
	}
	d.ConfigSHA256, d.ConfigSource = d.File.SHA256, string(d.File.Source)
	if err := d.choose(options.Workloads); err != nil {
		return err
	}
	if err := options.CheckWorkloads(d.Workloads); err != nil {
		return err
	}
	d.Inputs = map[string][]Input{}
	for _, name := range d.Workloads {
		files, err := d.File.Inputs(d.Workload(name))
		if err != nil {
			return failure.Usage("%w", err)
		}
		for _, in := range files {
			d.Inputs[name] = append(d.Inputs[name], Input{Name: in.Name, SHA256: in.SHA256, Bytes: in.Bytes})
		}
	}
	if err := d.checkSuites(options); err != nil {
		return err
	}
	return d.planFor(options)
}

// load reads bench.yaml, or derives it from a script.
func (d *Decision) load(options Options) error {
	if options.Script != nil {
		d.Config = AdhocConfig
		return d.script(options.Script)
	}
	path := options.Config
	var err error
	if path == "" {
		if path, err = config.Find(d.Directory); err != nil {
			return failure.Usage("%w", err)
		}
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if d.File, err = config.Load(path); err != nil {
		return failure.Usage("%w", err)
	}
	d.Config = path
	return nil
}

// choose fixes the workloads, in the order of the file.
func (d *Decision) choose(named []string) error {
	if len(named) == 0 {
		for _, w := range d.File.DefaultWorkloads() {
			d.Workloads = append(d.Workloads, w.Name)
		}
		return nil
	}
	for _, name := range named {
		if len(d.File.Select(name)) == 0 {
			return failure.Usage("--workload %s: %s has the workloads %s", name, d.Config, words.And(d.File.Names()))
		}
	}
	var err error
	d.Workloads, err = d.File.SelectAll(named)
	return err
}

// planFor fixes the plan: the caller's options override bench.yaml. It refuses a plan that cannot succeed.
func (d *Decision) planFor(options Options) error {
	p := options.override(d.File.Plan)
	if options.PairsOnly || d.Kind != KindCompare || options.several() {
		p.PreCheck = 0
	}
	if key, err := p.Check(); err != nil {
		return failure.Usage("%s: %w", options.nameOf(key, d.Config), err)
	}
	d.Plan = Plan{
		Pairs:           p.Pairs,
		Warmup:          p.Warmup,
		Settle:          p.Settle,
		Design:          string(p.Design),
		Seed:            p.Seed,
		Alpha:           p.Alpha,
		Equivalence:     p.Equivalence,
		StageMargin:     d.File.Metrics.StageMargin,
		Analyses:        p.Analyses,
		PreCheck:        p.PreCheck,
		Resident:        string(p.Resident),
		Processes:       p.Processes,
		Builds:          p.Builds,
		CooldownSeconds: p.Cooldown.Seconds(),
		Isolated:        options.Isolate,
	}
	if !options.Isolate {
		d.Open = options.Open
	}
	if d.Plan.Seed == 0 {
		d.Plan.Seed, d.Plan.SeedDrawn = drawSeed(), true
	}
	d.OneBuild = d.chooseBuilds()
	return d.checkPlan(p)
}

// override replaces values of bench.yaml with the caller's values.
func (o Options) override(p config.Plan) config.Plan {
	for _, v := range []struct {
		given int
		value *int
	}{{o.Pairs, &p.Pairs}, {o.Analyses, &p.Analyses}, {o.Processes, &p.Processes}, {o.BuildsPerArm, &p.Builds},
		{o.PreCheck, &p.PreCheck}} {
		if v.given != 0 {
			*v.value = v.given
		}
	}
	if o.Seed != 0 || o.RandomSeed {
		p.Seed = o.Seed
	}
	return p
}

// checkPlan refuses a plan that cannot succeed, and warns about its weaknesses; p is the plan as configured.
func (d *Decision) checkPlan(p config.Plan) error {
	design, err := d.Plan.Sequence(d.Plan.Planned())
	if err != nil {
		return failure.Usage("%s: plan: %w", d.Config, err)
	}
	if err := d.Plan.Upholds(len(d.Workloads)); err != nil {
		return failure.Usage("%s: plan: %w", d.Config, err)
	}
	if p.Builds > 1 && len(d.File.Build.Layout.Env)+len(d.File.Build.Layout.Args) == 0 {
		d.warn(WarnLayout, "plan.builds: %d without build.layout: nothing randomizes the layout, so all builds of an "+
			"arm may be equal", p.Builds)
	}
	for _, out := range design.LeftOut {
		d.warn("interim analysis for equivalence alone",
			"at %d pairs the sign-flip test gives p = %.3g at best and the level is %.3g, so that no difference can be found "+
				"there", out.Pairs, out.MinP, out.Level)
	}
	if p.Design == config.Alternating {
		d.warn("alternating", "pairs are all in the order AB: an effect of the order or a drift cannot be distinguished "+
			"from a difference")
	}
	if p.Resident == config.ResidentOne && p.Warmup == 0 {
		return failure.Usage("%s: plan.resident: one needs plan.warmup of at least 1, or the first proof after each start "+
			"would count", d.Config)
	}
	return nil
}

// nameOf names the origin of a value of the plan: a flag, or a key of the file.
func (o Options) nameOf(key, file string) string {
	if key == "pairs" && o.Pairs != 0 || key == "analyses" && o.Analyses != 0 {
		return "--" + key
	}
	return file + ": plan." + key
}

func (d *Decision) warn(kind, format string, arguments ...any) {
	d.Warnings = append(d.Warnings, Warning{kind, fmt.Sprintf(format, arguments...)})
}

// drawSeed returns a random seed above 0 that JSON readers with float64 numbers keep exact.
func drawSeed() uint64 {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return max(1, binary.LittleEndian.Uint64(random[:])>>11)
}

// resolve pins both revisions.
func (d *Decision) resolve(ctx context.Context, repository *revision.Repository, options Options) error {
	var how []revision.Option
	if options.Dirty {
		how = append(how, revision.WithWorkTree())
	}
	resolved, err := repository.Resolve(ctx, options.Range, how...)
	if err != nil {
		return failure.Usage("%w", err)
	}
	for _, text := range resolved.Warnings {
		d.warn("revisions", "%s", text)
	}
	d.Base, d.Head = newRevision(resolved.Base, options.BaseEnv), newRevision(resolved.Head, options.HeadEnv)
	d.AA = resolved.Same() && maps.Equal(options.BaseEnv, options.HeadEnv) && !options.several()
	return d.resolveHeads(ctx, repository, options)
}

func newRevision(r revision.Revision, env map[string]string) Revision {
	return Revision{
		SHA:       r.SHA,
		Ref:       r.Ref,
		Subject:   r.Subject,
		Time:      r.Time,
		Dirty:     r.Dirty,
		TreeHash:  r.TreeHash,
		Env:       env,
		Artifacts: []Artifact{},
	}
}

// StatsOptions returns the options for analysing the pairs of a metric.
func (d *Decision) StatsOptions(metric config.Metric) stats.Options {
	return stats.Options{
		Scale: stats.Scale(metric.Scale), Zeros: stats.ZerosPratt, Alpha: d.Plan.Alpha, Equivalence: d.Plan.Equivalence,
		HigherIsBetter: metric.Better == config.Higher, Family: d.FamilySize(),
	}
}

// StoppedOr returns ErrInterrupted if the context has ended, else err.
func StoppedOr(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", failure.ErrInterrupted, err)
	}
	return err
}
