// Package isolate runs the programs of one revision so that they can reach nothing but what is
// theirs. It makes command lines for bubblewrap and never starts a program itself, except to
// find out whether bubblewrap works here.
//
// What a wrapped program sees:
//
//   - The system (/usr, what programs need of /etc, /proc and /sys, the toolchains on the PATH)
//     read-only; nothing else of the host's files, no home, no credentials.
//   - Its own worktree, its own HOME and /tmp, and the folders that it was given, writable. A program that is measured
//     cannot change its build: the worktree, and what the build left in HOME, are read-only then, and what it writes to
//     HOME goes to a folder of its run.
//   - Its own processes only, with no right to signal, trace or name another.
//   - No network, not even that of the host itself. For fetching dependencies a specification may name
//     a gateway (package egress), which lets http and https to the public internet through and nothing else.
//   - An environment made from an allow-list, so that a token of the caller does not travel.
//   - The device files of GPUs, where asked for.
//   - A kernel without the calls that no prover needs: a filter denies new namespaces, mounts, modules, eBPF, io_uring
//     and others, with EPERM (filter.go has the list). Bubblewrap 0.8 and later forbids user namespaces by itself, too.
//
// Paths inside are the paths outside, so that a build or a proof file has one name.
//
// Bubblewrap is looked up once, tried, and then run by the absolute path that was tried ([Find]).
//
// It defends a measurement and its host's secrets against a revision under test. It is not a
// defence against exploits of the kernel or of the GPU's driver: a host that runs strangers' code
// should be one that can be thrown away.
package isolate
