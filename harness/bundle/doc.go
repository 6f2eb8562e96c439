// Package bundle packs what a host without Go, git or a network needs to compare two revisions.
//
// A bundle is one .tar.gz or .tar.zst with one folder. The folder contains programs built without cgo (the harness and
// any others asked for), both commits with their submodules as git bundles, bench.yaml, and git with its libraries. If
// the repository is a Go module, the folder also contains the compiler, assembler and linker, and the packages that
// either revision imports, without tests.
//
// The folder's launcher, run, creates a repository from the bundled commits, sets the paths and runs a command in that
// repository. It writes only inside its folder. The two revisions have the tags base and head.
//
// A bundle is for the operating system and architecture on which it is made. It never contains a C compiler or make, so
// build.command of bench.yaml must not need them.
package bundle
