// Package bundle packs what a host without Go, git or a network needs to compare two revisions there.
//
// A bundle is one .tar.gz or .tar.zst with one folder. It holds programs built without cgo (the harness, and others
// that are named), the commits as git bundles with their submodules and the bench.yaml that decides, a git with the
// libraries that it needs, and, where the repository is a Go module, the compiler, assembler and linker, the standard
// library's packages and the modules' packages that either revision imports, without tests.
//
// The folder's launcher, run, sets the paths and then runs what it is asked to in a repository that it made from the
// bundled commits. It writes inside its folder only. Both revisions are tagged there: base and head.
//
// A bundle is for the operating system and architecture on which it is made. It never holds a C compiler or make:
// build.command of bench.yaml must do without what is not there.
package bundle
