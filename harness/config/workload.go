package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// defaultTimeout bounds each session start, proof and verification of a workload without a timeout.
const defaultTimeout = 10 * time.Minute

func (d *decoder) workloads(v value, f *File) {
	var items []value // the node of each workload
	if !d.list(v, func(item value) {
		for _, w := range d.expand(item, f.Build) {
			f.Workloads, items = append(f.Workloads, w), append(items, item)
		}
	}) {
		return
	}
	switch {
	case len(d.items(v)) == 0:
		d.fail(v.node, v.key, "must hold at least one workload")
		return
	case len(f.Workloads) == 0:
		return // their errors have been reported
	case len(f.Workloads) > maxWorkloads:
		d.fail(v.node, v.key, "are %d with every combination of their matrices: at most %d can be measured", len(f.Workloads),
			maxWorkloads)
		return
	}
	// Folders are named after workloads, and some file systems ignore case.
	lines := map[string]int{}
	anyDefault := false
	for i, w := range f.Workloads {
		anyDefault = anyDefault || w.Default
		folded := strings.ToLower(w.Name)
		if first, ok := lines[folded]; ok && w.Name != "" {
			d.fail(items[i].node, join(items[i].key, "name"), "%q is already the name of the workload on line %d", w.Name, first)
			continue
		}
		lines[folded] = w.Line
	}
	if !anyDefault {
		d.fail(v.node, v.key, "every workload has default: false, so nothing would be measured unless named")
	}
	d.nightlyWorkloads(f)
}

// nightlyWorkloads checks the names in nightly.workloads.
func (d *decoder) nightlyWorkloads(f *File) {
	for i, name := range f.Nightly.Workloads {
		if len(f.Select(name)) == 0 {
			d.fail(d.nights[i], fmt.Sprintf("nightly.workloads[%d]", i), "%q is not a workload%s", name,
				didYouMean(name, f.Names()))
		}
	}
}

func (d *decoder) workload(v value, build Build) Workload {
	w := Workload{Timeout: defaultTimeout, Default: true, Cross: CrossAuto, Idle: IdleRun}
	w.Line, _ = position(v.node)
	var session, process, verify, idle, suite value
	seen := d.mapping(v, fields{
		"name":            func(v value) { d.workloadName(v, &w.Name) },
		"matrix":          func(value) {}, // read before the workload
		"session":         func(v value) { session = v; w.Session = d.template(v) },
		"process":         func(v value) { process = v; w.Process = d.template(v) },
		"adapter":         func(v value) { suite = v; oneOf(d, v, &w.Adapter, adapter.Kinds()...) },
		"verify":          func(v value) { verify = d.verify(v, &w) },
		"setup":           func(v value) { w.Setup = d.hook(v, build) },
		"prepare":         func(v value) { w.Prepare = d.hook(v, build) },
		"cleanup":         func(v value) { w.Cleanup = d.hook(v, build) },
		"statement":       func(v value) { d.statement(v, &w.Statement) },
		"exact_statement": func(v value) { d.statement(v, &w.ExactStatement) },
		"idle":            func(v value) { idle = v; oneOf(d, v, &w.Idle, IdleRun, IdleStop) },
		"units":           func(v value) { d.units(v, &w.Units) },
		"expect":          func(v value) { d.expect(v, &w.Expect) },
		"env":             func(v value) { d.workloadEnvironment(v, &w.Env) },
		"timeout":         func(v value) { d.duration(v, &w.Timeout, time.Second) },
		"max_proof":       func(v value) { d.size(v, &w.MaxProof) },
		"default":         func(v value) { d.boolean(v, &w.Default) },
	})
	d.require(v, seen, "name")
	switch {
	case !d.isMapping(v):
		return w
	case seen["session"] && seen["process"]:
		d.fail(process.node, process.key, "a workload has either session or process, not both")
	case !seen["session"] && !seen["process"]:
		d.fail(v.node, v.key, "needs session (a long-lived prover) or process (one process a proof)")
	}
	d.checkTemplate(session, w.Session, build, "the proof's file, seed and metrics travel in the session's requests",
		Artifact, Input)
	d.checkTemplate(process, w.Process, build, "", Artifact, Input, Proof, MetricsFile, Seed)
	d.checkTemplate(verify, w.Verify, build, "a verification writes no metrics", Artifact, Input, Proof, Seed, Statement,
		ExactStatement)
	if seen["process"] && w.Idle == IdleStop {
		d.fail(idle.node, idle.key, "no process waits between proofs in process mode: leave it out")
	}
	if w.Verifies() {
		d.needsProof(process, w.Process, "or there is nothing to verify")
	}
	d.suite(suite, verify, process, w)
	d.needsProof(verify, w.Verify, "the file it verifies")
	return w
}

// workloadEnvironment reads the variables of a workload, which may contain parameters of its matrix.
func (d *decoder) workloadEnvironment(v value, into *map[string]string) {
	d.environment(v, into)
	for name, text := range *into {
		(*into)[name] = d.fillText(text)
	}
}

// statement reads the statement expected of base, which may contain parameters of the matrix.
func (d *decoder) statement(v value, into *string) {
	if d.nonEmpty(v, into) {
		*into = d.fillText(*into)
	}
}

// hook reads a command that runs outside of proofs.
func (d *decoder) hook(v value, build Build) Template {
	t := d.template(v)
	d.checkTemplate(v, t, build, "a hook runs outside of proofs and must not know them: with a seed it could prove "+
		"in advance", Artifact, Input)
	return t
}

// suite checks the keys used with an adapter.
func (d *decoder) suite(v, verify, process value, w Workload) {
	switch {
	case w.Adapter == "":
	case w.IsSession():
		d.fail(v.node, v.key, "a suite of benchmarks is run by process, not by session")
	case w.Verifies():
		d.fail(verify.node, verify.key, "a suite of benchmarks leaves no proof: leave verify out")
	case w.Process.Uses(Proof):
		d.fail(process.node, process.key, "{proof} is not allowed here: a suite of benchmarks leaves no proof")
	case w.Adapter.NeedsFile() && !w.Process.Uses(MetricsFile):
		d.fail(process.node, process.key, "must name {metrics}, the file for its results, as in %s {metrics}",
			w.Adapter.FileOption())
	}
}

// verify reads the command that verifies, alone or in a mapping with further settings. It returns the node of the
// command.
func (d *decoder) verify(v value, w *Workload) value {
	if !d.isMapping(v) {
		w.Verify = d.template(v)
		return v
	}
	command := v
	seen := d.mapping(v, fields{
		"command": func(v value) { command = v; w.Verify = d.template(v) },
		"cross":   func(v value) { oneOf(d, v, &w.Cross, CrossAuto, CrossRequired, CrossReported) },
	})
	d.require(v, seen, "command")
	return command
}

// template reads an argument vector with placeholders.
func (d *decoder) template(v value) Template {
	var argv []string
	if !d.argv(v, &argv) {
		return Template{}
	}
	for i, arg := range argv {
		if _, err := ParseTemplate([]string{arg}); err != nil {
			item := d.items(v)[i]
			d.fail(item, fmt.Sprintf("%s[%d]", v.key, i), "%v", err)
			return Template{}
		}
	}
	t, _ := ParseTemplate(argv) // every argument was just parsed
	return d.fillTemplate(t)
}

// checkTemplate reports placeholders that are not allowed in the template, or that name no artifact.
func (d *decoder) checkTemplate(v value, t Template, build Build, reason string, allowed ...Kind) {
	for i, parts := range t.args {
		for _, p := range parts {
			at := fmt.Sprintf("%s[%d]", v.key, i)
			node := d.items(v)[i]
			switch {
			case p.Kind == Artifact && !slices.Contains(build.Artifacts, p.Text):
				d.fail(node, at, "{%s} is not an artifact of the build: build.artifacts has %s%s", p.Text, orNone(build.Artifacts),
					d.orParameters())
			case (p.Kind == Statement || p.Kind == ExactStatement) && !slices.Contains(allowed, p.Kind):
				d.fail(node, at, "%s is not allowed here: only verify receives what a proof must prove", p)
			case p.Kind != Literal && !slices.Contains(allowed, p.Kind):
				d.fail(node, at, "%s is not allowed here: %s", p, reason)
			}
		}
	}
}

// orParameters names the parameters of the matrix, which could have been meant as well.
func (d *decoder) orParameters() string {
	if len(d.parameters) == 0 {
		return ""
	}
	names := make([]string, len(d.parameters))
	for i, p := range d.parameters {
		names[i] = p.Name
	}
	return "; the matrix has " + strings.Join(names, ", ")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// needsProof reports a template that does not name the proof's file.
func (d *decoder) needsProof(v value, t Template, why string) {
	if len(t.args) > 0 && !t.Uses(Proof) {
		d.fail(v.node, v.key, "must name {proof}, %s", why)
	}
}

func (d *decoder) expect(v value, e *Expect) {
	d.mapping(v, fields{
		"counters": func(v value) { d.expectations(v, &e.Counters) },
		"metrics":  func(v value) { d.expectations(v, &e.Metrics) },
	})
}

// maxName bounds the number of characters of a workload's name, including the suffix of a matrix.
const maxName = 64

var (
	workloadName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	// A workload's folder is next to these in the run directory.
	takenNames = regexp.MustCompile(`(?i)^(logs|proofs|inputs|artifacts|run\.json|journal\.jsonl|report\..*)$`)
)

func (d *decoder) workloadName(v value, into *string) {
	var s string
	switch {
	case !d.text(v, &s):
	case !workloadName.MatchString(s):
		d.fail(v.node, v.key, "%q cannot name a folder: up to 64 letters, digits, dots, dashes and underscores, a letter "+
			"or digit first", s)
	case takenNames.MatchString(s):
		d.fail(v.node, v.key, "%q is the name of something else in the run directory", s)
	default:
		*into = s
	}
}
