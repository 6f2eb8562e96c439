// Package config reads bench.yaml, the file in which a repository says how its prover is built, run,
// verified and measured.
//
// Vocabulary:
//
//   - A workload is one thing to prove: an argument vector that starts a session (or one process a
//     proof), one that verifies a proof, and what must hold for every proof.
//   - An artifact is a file that the build leaves in its worktree. Workloads name it in braces.
//   - A template is an argument vector with placeholders. No shell ever sees it.
//   - A plan says how many pairs are measured, in which order, and what is concluded from them.
//
// Decoding is strict: an unknown or repeated key, a value of the wrong type, a number without its
// unit or an impossible value is an error that names file, line, column and key, and all of them are
// reported at once. Scalars are taken as they are written: where a string is meant, `no`, `1.10`
// and `0644` have to be quoted, so that YAML's own ideas of their type cannot change a command.
//
// goccy/go-yaml parses the text. A config may come from a stranger, so document.go bounds what the
// parser is given. decode.go and scalar.go walk its nodes: a decoder into structs stops at the first
// error.
//
// The package reads the one file that it is given and never writes, runs or fetches anything.
// docs/reference/bench-yaml.md describes every key for users.
package config
