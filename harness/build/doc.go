// Package build makes the artifacts of a revision in a clean worktree of its own, and keeps them.
//
// Vocabulary:
//
//   - A recipe is the build section of bench.yaml: fetch, command, artifacts, environment.
//   - An entry of the cache is one build: the worktree in which it was made, a home, a log, and a
//     provenance. Artifacts stay in their worktree, beside the files they may need.
//   - A provenance says what went in (commit, recipe, environment, toolchains) and what came out
//     (each artifact with its SHA-256).
//
// An entry is found by a key over everything that went in. It is used only while its worktree
// hashes to what the provenance says: artifacts, sources and all else that the build left there.
// Otherwise it is made again. An entry in use is locked, so that nobody builds the same thing twice or deletes it
// under a measurement.
//
// What a build starts ends with it: programs that left its process group are killed and named. Of what it prints, head
// and tail are kept.
//
// The package never runs what it built, and never builds in the user's own work tree.
package build
