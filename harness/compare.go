package harness

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/stats"
)

// Compare measures base against head. The report is nil only where no run was begun; with an error it says what there
// is. See ExitCode for the errors.
func Compare(ctx context.Context, options Options) (*Report, error) {
	report, err := compare(ctx, options)
	if !options.Isolate || !options.OrOpen || report == nil || !report.Failure.ofBuild(Base) {
		return report, err
	}
	cause, _, _ := strings.Cut(report.Failure.Cause, isolatedHint)
	options.Isolate, options.Open = false, "base does not build isolated: "+cause
	options.notify(Notice{Text: "isolation: base does not build isolated, so both revisions are built and measured " +
		"without: " + cause})
	return compare(ctx, options)
}

// ofBuild says whether it was the build of an arm that failed; nil is no failure.
func (f *Failure) ofBuild(arm Arm) bool { return f != nil && f.Step == StepBuild && f.Arm == arm }

func compare(ctx context.Context, options Options) (*Report, error) {
	repository, decision, err := decide(ctx, options)
	if err != nil {
		return nil, stoppedOr(ctx, err)
	}
	if repository != nil {
		if err := decision.placeBuilds(options.Builds, repository.Dir()); err != nil {
			return nil, err
		}
	}
	dir, err := journal.Create(RunsFolder(decision.Directory), decision.Created, decision.Base.SHA, decision.Head.SHA)
	if err != nil {
		return nil, err
	}
	decision.ID = dir.ID()
	if err := errors.Join(ignoreFolder(decision.Directory), decision.write(dir)); err != nil {
		return nil, err
	}
	r, err := openRun(repository, decision, dir, options.Controls)
	if err != nil {
		return nil, err
	}
	r.announce()
	return r.finish(ctx, r.execute(ctx))
}

// announce says what was decided, the SHAs first.
func (r *run) announce() {
	d := r.decision
	r.notify(Notice{Text: "run " + d.ID})
	if d.ofCommands() {
		r.notify(Notice{Text: "kept in " + string(r.dir)})
	}
	for _, arm := range []Arm{Base, Head} {
		rev := d.arm(arm)
		if d.ofCommands() {
			r.notify(Notice{Text: fmt.Sprintf("%s: %s", arm, rev.Subject)})
			continue
		}
		r.notify(Notice{Text: fmt.Sprintf("%s %s %s %s", arm, rev.SHA, rev.Ref, rev.Subject)})
	}
	if d.AA {
		r.notify(Notice{Text: "base and head are the same: this is an A/A run"})
	}
	drawn := ""
	if d.Plan.SeedDrawn {
		drawn = " (drawn)"
	}
	r.notify(Notice{Text: fmt.Sprintf("%d pairs of %s, seed %d%s", d.Plan.Pairs, joinWords(d.Workloads), d.Plan.Seed,
		drawn)})
	for _, w := range d.Warnings {
		r.notify(Notice{Text: "warning: " + w.Text})
	}
}

// ignoreFolder tells git to ignore the folder of the harness, wherever it lies.
func ignoreFolder(directory string) error {
	path := filepath.Join(directory, folder, ".gitignore")
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return os.WriteFile(path, []byte("*\n"), 0o644)
}

// decide resolves everything that does not need a build. Its errors are the caller's to mend.
func decide(ctx context.Context, options Options) (*revision.Repository, *Decision, error) {
	directory, err := filepath.Abs(options.Directory)
	if err != nil {
		return nil, nil, err
	}
	d := &Decision{
		Schema:                  RunSchema,
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
	repository, err := revision.Open(directory, d.git())
	if err != nil {
		return nil, nil, usage("%w", err)
	}
	if err := d.resolve(ctx, repository, options); err != nil {
		return nil, nil, err
	}
	return repository, d, d.rate()
}

// rate counts the runs that were made here before.
func (d *Decision) rate() error {
	runs, err := journal.List(RunsFolder(d.Directory))
	d.Rate = rateOf(runs, d.Created)
	return err
}

// configure reads bench.yaml and fixes workloads and plan.
func (d *Decision) configure(options Options) error {
	if err := d.load(options); err != nil {
		return err
	}
	d.ConfigSHA256, d.ConfigSource = d.file.SHA256, string(d.file.Source)
	if err := d.choose(options.Workloads); err != nil {
		return err
	}
	if err := options.checkWorkloads(d.Workloads); err != nil {
		return err
	}
	d.Inputs = map[string][]Input{}
	for _, name := range d.Workloads {
		files, err := d.file.Inputs(d.workload(name))
		if err != nil {
			return usage("%w", err)
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

// load reads bench.yaml, or makes the one that a script stands for.
func (d *Decision) load(options Options) error {
	if options.Script != nil {
		d.Config = adhocConfig
		return d.script(options.Script)
	}
	path := options.Config
	var err error
	if path == "" {
		if path, err = config.Find(d.Directory); err != nil {
			return usage("%w", err)
		}
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if d.file, err = config.Load(path); err != nil {
		return usage("%w", err)
	}
	d.Config = path
	return nil
}

// choose fixes the workloads, in the order of the file.
func (d *Decision) choose(named []string) error {
	if len(named) == 0 {
		for _, w := range d.file.DefaultWorkloads() {
			d.Workloads = append(d.Workloads, w.Name)
		}
		return nil
	}
	for _, name := range named {
		if len(d.file.Select(name)) == 0 {
			return usage("--workload %s: %s has the workloads %s", name, d.Config, joinWords(d.file.Names()))
		}
	}
	var err error
	d.Workloads, err = d.file.SelectAll(named)
	return err
}

// planFor fixes the plan from bench.yaml with the caller's options over it, and refuses one that cannot succeed.
func (d *Decision) planFor(options Options) error {
	p := d.file.Plan
	if options.Pairs != 0 {
		p.Pairs = options.Pairs
	}
	if options.Looks != 0 {
		p.Looks = options.Looks
	}
	if options.Launches != 0 {
		p.Launches = options.Launches
	}
	if options.DrawnBuilds != 0 {
		p.Builds = options.DrawnBuilds
	}
	if options.Tier != 0 {
		p.Tier = options.Tier
	}
	if options.PairsOnly || d.Kind != KindCompare {
		p.Tier = 0
	}
	if options.Seed != 0 || options.DrawSeed {
		p.Seed = options.Seed
	}
	if key, err := p.Check(); err != nil {
		return usage("%s: %w", options.nameOf(key, d.Config), err)
	}
	d.Plan = Plan{
		Pairs:           p.Pairs,
		Warmup:          p.Warmup,
		Settle:          p.Settle,
		Design:          string(p.Design),
		Seed:            p.Seed,
		Alpha:           p.Alpha,
		Equivalence:     p.Equivalence,
		StageMargin:     d.file.Metrics.StageMargin,
		Looks:           p.Looks,
		Tier:            p.Tier,
		Resident:        string(p.Resident),
		Launches:        p.Launches,
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
	design, err := d.Plan.sequence(d.Plan.planned())
	if err != nil {
		return usage("%s: plan: %w", d.Config, err)
	}
	if err := d.Plan.Upholds(len(d.Workloads)); err != nil {
		return usage("%s: plan: %w", d.Config, err)
	}
	if p.Builds > 1 && len(d.file.Build.Layout.Env)+len(d.file.Build.Layout.Args) == 0 {
		d.warn(warnLayout, "plan.builds: %d without build.layout: nothing draws a layout, so that the builds of an arm may "+
			"all be alike", p.Builds)
	}
	for _, out := range design.LeftOut {
		d.warn("look for equivalence alone",
			"at %d pairs the sign-flip test gives p = %.3g at best and the level is %.3g, so that no difference can be found "+
				"there", out.Pairs, out.MinP, out.Level)
	}
	if p.Design == config.Alternating {
		d.warn("alternating", "pairs are all in the order AB: an effect of the order or a drift cannot be told from a "+
			"difference")
	}
	if p.Resident == config.ResidentOne && p.Warmup == 0 {
		return usage("%s: plan.resident: one needs plan.warmup of at least 1, or the first proof after each start would "+
			"count", d.Config)
	}
	return nil
}

// nameOf says where a value of the plan comes from: a flag, or the file.
func (o Options) nameOf(key, file string) string {
	if key == "pairs" && o.Pairs != 0 || key == "looks" && o.Looks != 0 {
		return "--" + key
	}
	return file + ": plan." + key
}

func (d *Decision) warn(kind, format string, arguments ...any) {
	d.Warnings = append(d.Warnings, Warning{kind, fmt.Sprintf(format, arguments...)})
}

// drawSeed draws a seed above 0 that a JSON reader with float64 numbers keeps exact.
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
		return usage("%w", err)
	}
	for _, text := range resolved.Warnings {
		d.warn("revisions", "%s", text)
	}
	d.Base, d.Head = newRevision(resolved.Base, options.BaseEnv), newRevision(resolved.Head, options.HeadEnv)
	d.AA = resolved.Same() && maps.Equal(options.BaseEnv, options.HeadEnv)
	return nil
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

// options returns how a metric's pairs are analysed.
func (d *Decision) options(metric config.Metric) stats.Options {
	return stats.Options{
		Scale: stats.Scale(metric.Scale), Zeros: stats.ZerosPratt, Alpha: d.Plan.Alpha, Equivalence: d.Plan.Equivalence,
		HigherIsBetter: metric.Better == config.Higher, Family: d.workloads(),
	}
}

// stoppedOr returns ErrInterrupted where the context ended.
func stoppedOr(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrInterrupted, err)
	}
	return err
}
