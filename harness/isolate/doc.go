// Package isolate runs the programs of one revision so that they reach only their own files and processes. It makes
// command lines for bubblewrap; it starts a program only to test whether bubblewrap works on this host.
//
// What an isolated program sees:
//
//   - The system (/usr, the parts of /etc, /proc and /sys that programs need, the toolchains on the PATH) read-only.
//     Other files of the host, such as homes and credentials, are not visible.
//   - Its own worktree, HOME and /tmp, and the folders it was given, writable. A measured program cannot change its
//     build: its worktree and the files that the build left in HOME are read-only, and what it writes to HOME goes to a
//     folder of its run.
//   - Its own processes only. It cannot signal, trace or name others.
//   - No network, not even the host's loopback. To fetch dependencies, a specification may name a gateway (package
//     egress), which permits only http and https to the public internet.
//   - An environment made from an allow-list, so the caller's tokens are not passed on.
//   - The device files of GPUs, if requested.
//   - A kernel without the system calls that no prover needs: a filter denies new namespaces, mounts, modules, eBPF,
//     io_uring and others with EPERM (filter.go has the list). Bubblewrap 0.8 and later also forbids user namespaces
//     itself.
//
// Paths inside are identical to the paths outside, so a build or proof file has one name.
//
// Bubblewrap is looked up and tested once, and then run by that absolute path ([Find]).
//
// Isolation protects a measurement and the host's secrets from the revision under test. It does not protect against
// exploits of the kernel or of the GPU driver: run untrusted code on a host that can be thrown away.
package isolate
