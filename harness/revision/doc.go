// Package revision turns what a user writes, such as main..feature, into two pinned commits, and
// commits into clean worktrees.
//
// Vocabulary:
//
//   - A revision is one commit, pinned by its full SHA when it is resolved.
//   - A range is the two revisions of a comparison: base, and head, which is measured against it.
//   - A snapshot is the user's work tree as a commit object that no branch knows.
//
// Everything goes through the git binary, so that a revision means here what it means to git. The
// user's branches, index and work tree are never changed: worktrees are separate, detached and
// made without hooks, a snapshot is written through an index of its own, and only worktrees of the
// repository at hand are ever removed. Hooks never run, and a submodule is fetched over
// no protocol that could run a command.
package revision
