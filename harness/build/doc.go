// Package build builds the artifacts of a revision in a clean worktree and caches them.
//
// Vocabulary:
//
//   - A recipe is the build section of bench.yaml: fetch, command, artifacts, environment.
//   - An entry of the cache is one build: its worktree, a home, a log, and a provenance. Artifacts stay in their
//     worktree, next to the files they may need.
//   - A provenance records the inputs (commit, recipe, environment, toolchains) and the outputs (each artifact with its
//     SHA-256).
//
// An entry is found by a key over all inputs. It is used only if its worktree still hashes to the value in the
// provenance: artifacts, sources and everything else that the build left there. Otherwise it is built again. An entry
// in use is locked, so that it is neither built twice nor deleted during a measurement.
//
// Programs that a build starts end with it: those that left its process group are killed and reported. The head and the
// tail of the output are kept.
//
// The package never runs what it built, and never builds in the user's worktree.
package build
