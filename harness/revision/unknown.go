package revision

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// An unknownError is the error for a name that does not resolve to a commit.
type unknownError struct {
	Ref string
	// Reason says what was tried and why it failed.
	Reason string
	// Hint suggests what to do; it may be empty.
	Hint string
}

// Error returns name, reason and hint.
func (e *unknownError) Error() string {
	text := fmt.Sprintf("unknown revision %q: %s", e.Ref, e.Reason)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

var (
	hexName  = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)
	ancestry = regexp.MustCompile(`^(.+?)((?:[~^][0-9]*)+)$`)
)

// explain returns an error that says why a name does not resolve.
func (r *Repository) explain(ctx context.Context, ref string, cause error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil &&
		strings.HasPrefix(ref, "HEAD") {
		return &unknownError{ref, "the repository has no commit at HEAD yet", "commit something first"}
	}
	if kind, err := r.git(ctx, "cat-file", "-t", "--", ref); err == nil && kind != "commit" {
		return &unknownError{ref, fmt.Sprintf("it names a %s, not a commit", kind), ""}
	}
	if m := ancestry.FindStringSubmatch(ref); m != nil {
		if start, err := r.Pin(ctx, m[1]); err == nil {
			return r.explainAncestor(ctx, ref, start)
		}
		return r.explain(ctx, m[1], cause)
	}
	if strings.Contains(cause.Error(), "is ambiguous") {
		return &unknownError{ref, "the short SHA matches several objects", "give more digits"}
	}
	tried := "tried as a name like HEAD, a tag, a branch and a remote branch, as git does"
	hint := r.similar(ctx, ref)
	if hexName.MatchString(ref) {
		tried += ", and as a (short) SHA"
		if hint == "" {
			hint = "if it is a commit of a remote, fetch it first: git fetch origin " + ref
		}
	}
	if hint == "" {
		hint = strings.TrimPrefix(r.shallowHint(ctx), ": ")
	}
	return &unknownError{ref, tried, hint}
}

// explainAncestor returns an error that says how long the history is.
func (r *Repository) explainAncestor(ctx context.Context, ref string, start Revision) error {
	count, err := r.git(ctx, "rev-list", "--count", "--first-parent", start.SHA)
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("%s has %s commits in its first-parent history, itself included", start, count)
	if count == "1" {
		reason = fmt.Sprintf("%s is the first commit and has no parent", start)
	}
	hint := strings.TrimPrefix(r.shallowHint(ctx), ": ")
	if hint == "" && count == "1" {
		hint = fmt.Sprintf("to compare it with itself, write %s..%s", start.Ref, start.Ref)
	}
	return &unknownError{ref, reason, hint}
}

// shallowHint returns a hint if the clone is shallow.
func (r *Repository) shallowHint(ctx context.Context) string {
	if out, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && out == "true" {
		return ": the clone is shallow; git fetch --unshallow fetches the rest of the history"
	}
	return ""
}

// similar suggests refs that end with /ref, or differ from ref in case or by one letter.
func (r *Repository) similar(ctx context.Context, ref string) string {
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return ""
	}
	var found []string
	for _, name := range strings.Fields(out) {
		if strings.HasSuffix(name, "/"+ref) || strings.EqualFold(name, ref) || near(name, ref) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(found[:min(3, len(found))], " or ") + "?"
}

// near reports whether two names differ by one letter (changed, added or removed) or by two swapped letters.
func near(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch len(a) - len(b) {
	case 1:
		return len(b) > 2 && a[i+1:] == b[i:]
	case 0:
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return len(a) > 2 && (i == len(a) || a[i+1:] == b[i+1:] || swapped)
	}
	return false
}
