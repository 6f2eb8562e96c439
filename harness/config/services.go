package config

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// commentPattern matches the word that starts a run: a slash and one word.
var commentPattern = regexp.MustCompile(`^/[a-z][a-z0-9-]{0,38}$`)

func (d *decoder) github(v value, g *GitHub) {
	d.mapping(v, fields{
		"runs_on":      func(v value) { d.labels(v, &g.RunsOn) },
		"timeout":      func(v value) { d.duration(v, &g.Timeout, time.Minute) },
		"max_pairs":    func(v value) { d.integer(v, &g.MaxPairs, 2, 100_000) },
		"max_analyses": func(v value) { d.integer(v, &g.MaxAnalyses, 1, 50) },
		"baselines":    func(v value) { d.absolute(v, &g.Baselines) },
		"inconclusive": func(v value) { oneOf(d, v, &g.Inconclusive, neutral, failure) },
		"comment": func(v value) {
			var s string
			if !d.text(v, &s) {
				return
			}
			if !commentPattern.MatchString(s) {
				d.fail(v.node, v.key, "must be one word such as /bench-gpu, not %q", s)
				return
			}
			g.Comment = s
		},
	})
}

// absolute reads the path of a folder on the measuring host.
func (d *decoder) absolute(v value, into *string) {
	if !d.nonEmpty(v, into) {
		return
	}
	if !filepath.IsAbs(*into) {
		d.fail(v.node, v.key, "must be an absolute path, not %q", *into)
	}
}

// labels reads a list of at least one label, or a single label.
func (d *decoder) labels(v value, into *[]string) {
	if _, alone := scalarOf(d.resolve(v.node)); alone {
		var one string
		if d.nonEmpty(v, &one) {
			*into = []string{one}
		}
		return
	}
	var out []string
	if !d.list(v, func(item value) {
		var s string
		if d.nonEmpty(item, &s) {
			out = append(out, s)
		}
	}) {
		return
	}
	if len(d.items(v)) == 0 {
		d.fail(v.node, v.key, "must hold at least one label")
		return
	}
	*into = out
}

func (d *decoder) nightly(v value, n *Nightly) {
	d.mapping(v, fields{
		"workloads": func(v value) {
			if d.nights = d.items(v); !d.strings(v, &n.Workloads) {
				n.Workloads = nil
			}
		},
		"baseline": func(v value) {
			var s string
			if !d.nonEmpty(v, &s) {
				return
			}
			if strings.HasPrefix(s, "-") || strings.Contains(s, "..") || strings.ContainsAny(s, " \t") {
				d.fail(v.node, v.key, "must be one revision such as v1.2.0, not %q", s)
				return
			}
			n.Baseline = s
		},
		"history":   func(v value) { d.history(v, &n.History) },
		"labels":    func(v value) { d.labels(v, &n.Labels) },
		"bisect":    func(v value) { d.duration(v, &n.Bisect, 0) },
		"pairs":     func(v value) { d.integer(v, &n.Pairs, 2, 100_000) },
		"unsettled": func(v value) { d.integer(v, &n.Unsettled, 1, 1000) },
	})
}

// branchPattern is a conservative subset of what git allows.
var branchPattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

// history reads branch:NAME or a folder.
func (d *decoder) history(v value, h *History) {
	var s string
	if !d.nonEmpty(v, &s) {
		return
	}
	branch, isBranch := strings.CutPrefix(s, "branch:")
	switch {
	case !isBranch:
		*h = History{Folder: s}
	case !branchPattern.MatchString(branch) || strings.Contains(branch, "..") || strings.HasSuffix(branch, ".lock") ||
		strings.HasSuffix(branch, "/") || strings.Contains(branch, "//"):
		d.fail(v.node, v.key, "%q is not a branch name", branch)
	default:
		*h = History{Branch: branch}
	}
}
