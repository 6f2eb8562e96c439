package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// Ancestry determines which commits belong to the repository, from a checkout with the whole history. It does not use
// the API, which also knows the commits of forks and would need one call for every branch and tag.
type Ancestry struct {
	// Directory is a clone with the repository's branches and tags and no others.
	Directory string
	// Local prefers the clone's own branches to its origin's. On a developer's machine they are newer; in a job, older.
	Local bool
}

// ownReferences are where a clone keeps the branches and tags of its origin.
var ownReferences = []string{"refs/heads", "refs/remotes/origin", "refs/tags"}

// errAmbiguous reports a name that is both a branch and a tag, of different commits.
var errAmbiguous = errors.New("a branch and a tag have that name: write heads/NAME or tags/NAME")

// Resolve finds the commit of a branch, a tag or a full or shortened SHA that is reachable from a branch or tag of the
// repository; ok is false if there is none.
func (ancestry Ancestry) Resolve(ctx context.Context, name string) (sha string, ok bool, err error) {
	if err := ancestry.check(ctx); err != nil {
		return "", false, err
	}
	branch, isBranch := ancestry.branch(ctx, name)
	tag, isTag := ancestry.tag(ctx, name)
	switch {
	case isBranch && isTag && branch != tag:
		return "", false, errAmbiguous
	case isBranch:
		return branch, true, nil
	case isTag:
		return tag, true, nil
	case !hexPattern.MatchString(name):
		return "", false, nil
	}
	sha, ok = ancestry.commit(ctx, name)
	if !ok {
		return "", false, nil
	}
	reachable, err := ancestry.reachable(ctx, sha)
	return sha, reachable, err
}

// branch finds a branch as the origin had it, or the clone's own if the origin has none.
func (ancestry Ancestry) branch(ctx context.Context, name string) (string, bool) {
	name = strings.TrimPrefix(name, "heads/")
	sha, ok := ancestry.commit(ctx, "refs/remotes/origin/"+name)
	if own, exists := ancestry.commit(ctx, "refs/heads/"+name); exists && (ancestry.Local || !ok) {
		return own, true
	}
	return sha, ok
}

func (ancestry Ancestry) tag(ctx context.Context, name string) (string, bool) {
	return ancestry.commit(ctx, "refs/tags/"+strings.TrimPrefix(name, "tags/"))
}

// check refuses a clone without the whole history.
func (ancestry Ancestry) check(ctx context.Context) error {
	shallow, err := ancestry.git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return fmt.Errorf("the gate needs a checkout to look up the base: %w", err)
	}
	if shallow != "false" {
		return errors.New("the gate's checkout is shallow: its job must check out with fetch-depth: 0")
	}
	return nil
}

func (ancestry Ancestry) commit(ctx context.Context, reference string) (string, bool) {
	sha, err := ancestry.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", reference+"^{commit}")
	return sha, err == nil && commitPattern.MatchString(sha)
}

// reachable finds one branch or tag that contains the commit, with one call for any number of them.
func (ancestry Ancestry) reachable(ctx context.Context, sha string) (bool, error) {
	found, err := ancestry.git(ctx,
		append([]string{"for-each-ref", "--count=1", "--format=%(refname)", "--contains", sha}, ownReferences...)...)
	return found != "", err
}

func (ancestry Ancestry) git(ctx context.Context, arguments ...string) (string, error) {
	output, err := git.Desk.Run(ctx, git.Call{Dir: ancestry.Directory, Args: arguments})
	return strings.TrimSpace(output), err
}
