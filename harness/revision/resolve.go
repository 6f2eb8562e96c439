package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/git"
)

// A Revision is one pinned commit.
type Revision struct {
	// SHA is the full name of the commit.
	SHA string `json:"sha"`
	// Ref is what the user wrote, such as main or HEAD~1.
	Ref     string `json:"ref"`
	Subject string `json:"subject"`
	// Time is the committer's date.
	Time time.Time `json:"time"`
	// Dirty marks a snapshot of the work tree.
	Dirty bool `json:"dirty,omitempty"`
	// TreeHash is the SHA of the commit's tree. Equal trees have equal sources.
	TreeHash string `json:"tree"`
}

// Short returns the first seven digits of the SHA.
func (r Revision) Short() string {
	if len(r.SHA) < 7 {
		return r.SHA
	}
	return r.SHA[:7]
}

// String returns the revision's name for messages, such as main (1a2b3c4).
func (r Revision) String() string {
	if r.Ref == "" || strings.HasPrefix(r.SHA, r.Ref) {
		return r.Short()
	}
	return fmt.Sprintf("%s (%s)", r.Ref, r.Short())
}

// A Range is the two revisions of a comparison.
type Range struct {
	Base Revision `json:"base"`
	Head Revision `json:"head"`
	// MergeBase reports whether Base is the merge base of the given base and head.
	MergeBase bool `json:"merge_base,omitempty"`
	// Warnings are messages for the user: an ambiguous name, changes that are not measured.
	Warnings []string `json:"warnings,omitempty"`
}

// Same reports whether base and head are one commit.
func (r Range) Same() bool { return r.Base.SHA == r.Head.SHA }

// An Option changes how a range is resolved.
type Option func(*options)

type options struct{ workTree bool }

// WithWorkTree makes the work tree head, including uncommitted and untracked but not ignored files. The range's head
// must be HEAD.
func WithWorkTree() Option { return func(o *options) { o.workTree = true } }

// forms describes the forms of a range, for errors.
const forms = "write base..head, base...head (from the merge base) or head alone (HEAD..head, where HEAD is part of it)"

// split splits a range. A missing end is HEAD.
func split(spec string) (base, head string, mergeBase bool, err error) {
	base, head, mergeBase = "HEAD", spec, false
	if before, after, ok := strings.Cut(spec, "..."); ok {
		base, head, mergeBase = before, after, true
	} else if before, after, ok := strings.Cut(spec, ".."); ok {
		base, head = before, after
	}
	switch {
	case strings.TrimSpace(spec) == "":
		return "", "", false, fmt.Errorf("no revisions given: %s", forms)
	case strings.Contains(head, ".."):
		return "", "", false, fmt.Errorf("%q is not a range of two revisions: %s", spec, forms)
	}
	if base == "" {
		base = "HEAD"
	}
	if head == "" {
		head = "HEAD"
	}
	return base, head, mergeBase, nil
}

// Resolve resolves the two revisions of a range, as git would: base..head; base...head from the merge base; a single
// revision that contains HEAD means HEAD..head. Errors say what was tried.
func (r *Repository) Resolve(ctx context.Context, spec string, opts ...Option) (Range, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	baseRef, headRef, mergeBase, err := split(spec)
	if err != nil {
		return Range{}, err
	}
	var out Range
	if out.Base, err = r.commit(ctx, baseRef, &out.Warnings); err != nil {
		return Range{}, err
	}
	if out.Head, err = r.commit(ctx, headRef, &out.Warnings); err != nil {
		return Range{}, err
	}
	switch {
	case mergeBase:
		err = r.mergeBase(ctx, &out)
	case !strings.Contains(spec, ".."):
		err = r.ahead(ctx, spec, out)
	}
	if err != nil {
		return Range{}, err
	}
	return out, r.workTree(ctx, &out, o.workTree)
}

// ahead returns an error for a single revision that does not contain HEAD. On a branch, a user who writes main probably
// wants main as base, but HEAD..main would make main head.
func (r *Repository) ahead(ctx context.Context, ref string, of Range) error {
	if of.Same() {
		return nil
	}
	_, err := r.git(ctx, "merge-base", "--is-ancestor", of.Base.SHA, of.Head.SHA)
	var failed *git.Error
	if errors.As(err, &failed) && strings.TrimSpace(failed.Stderr) == "" {
		return fmt.Errorf("%s does not contain HEAD (%s), so it could be base or head: write %s.. to compare HEAD with "+
			"it, or ..%s to compare it with HEAD",
			ref, of.Base.Short(), ref, ref)
	}
	return err
}

// Pin resolves a single revision.
func (r *Repository) Pin(ctx context.Context, ref string) (Revision, error) {
	var warnings []string
	return r.commit(ctx, ref, &warnings)
}

// mergeBase replaces base by the merge base of base and head.
func (r *Repository) mergeBase(ctx context.Context, out *Range) error {
	list, err := r.git(ctx, "merge-base", "--all", out.Base.SHA, out.Head.SHA)
	if err != nil {
		var failed *git.Error
		if errors.As(err, &failed) && strings.TrimSpace(failed.Stderr) == "" {
			return fmt.Errorf("%s and %s have no common ancestor%s", out.Base, out.Head, r.shallowHint(ctx))
		}
		return err
	}
	bases := strings.Fields(list)
	if len(bases) > 1 {
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("%s and %s have %d merge bases: measuring from %.7s", out.Base, out.Head, len(bases), bases[0]))
	}
	ref := out.Base.Ref + "..." + out.Head.Ref
	if out.Base, err = r.commit(ctx, bases[0], &out.Warnings); err != nil {
		return err
	}
	out.Base.Ref = "merge base of " + ref
	out.MergeBase = true
	return nil
}

// commit resolves one name to a commit.
func (r *Repository) commit(ctx context.Context, ref string, warnings *[]string) (Revision, error) {
	if strings.ContainsAny(ref, "\x00\n") {
		return Revision{}, fmt.Errorf("%q is not a revision: it contains a control character", ref)
	}
	var stderr bytes.Buffer
	object, err := r.runner.Run(ctx, git.Call{
		Dir:    r.dir,
		Stderr: &stderr,
		Args:   []string{"rev-parse", "--verify", "--end-of-options", ref},
	})
	if err != nil {
		return Revision{}, r.explain(ctx, ref, err)
	}
	// Peel in a second step: after :/text, ^{commit} would be part of the text.
	sha, err := r.git(ctx, "rev-parse", "--verify", object+"^{commit}")
	if err != nil {
		return Revision{}, r.explain(ctx, ref, err)
	}
	for line := range strings.Lines(stderr.String()) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "warning: "); ok {
			*warnings = append(*warnings, text)
		}
	}
	out, err := r.git(ctx, "show", "-s", "--no-show-signature", "--format=%T%x00%cI%x00%s", sha)
	if err != nil {
		return Revision{}, err
	}
	parts := strings.SplitN(out, "\x00", 3)
	if len(parts) != 3 {
		return Revision{}, fmt.Errorf("git show %s printed %q", sha, out)
	}
	when, err := time.Parse(time.RFC3339, parts[1])
	if err != nil {
		return Revision{}, fmt.Errorf("commit %s has the time %q: %w", sha, parts[1], err)
	}
	return Revision{SHA: sha, Ref: ref, TreeHash: parts[0], Time: when, Subject: parts[2]}, nil
}
