// Package revision resolves a range such as main..feature to two pinned commits, and checks commits out in clean
// worktrees.
//
// Vocabulary:
//
//   - A revision is one commit, identified by its full SHA.
//   - A range is the two revisions of a comparison: base, and head, which is compared with base.
//   - A snapshot is the user's work tree as a commit object that no ref points to.
//
// Package revision runs the git binary, so revisions have the same meaning as in git. It never changes the user's
// branches, index or work tree: worktrees are separate and detached, a snapshot is written through a temporary index,
// and only worktrees of this repository are removed. Hooks never run, and submodules are fetched only over protocols
// that cannot run a command.
package revision
