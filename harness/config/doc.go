// Package config reads bench.yaml, the file in which a repository describes how its prover is built, run, verified and
// measured.
//
// Vocabulary:
//
//   - A workload is one thing to prove: an argument vector that starts a session (or one process per proof), one that
//     verifies a proof, and assertions on every proof.
//   - An artifact is a file that the build leaves in its worktree. Workloads name it in braces.
//   - A template is an argument vector with placeholders. It is never passed to a shell.
//   - A plan says how many pairs are measured, in what order, and how they are evaluated.
//
// Decoding is strict. An unknown or repeated key, a value of the wrong type, a number without its unit or an impossible
// value is an error that names file, line, column and key. All errors are reported at once. Scalars keep their
// spelling: if a string is meant, `no`, `1.10` and `0644` must be quoted, so that YAML's implicit types cannot change a
// command.
//
// goccy/go-yaml parses the text. A config is untrusted, so document.go bounds the input of the parser. decode.go and
// scalar.go walk the nodes, because decoding into structs would stop at the first error.
//
// The package reads only the given file and never writes, runs or fetches anything.
// docs/reference/bench-yaml.md describes every key for users.
package config
