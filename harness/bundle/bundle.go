package bundle

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/workflows"
)

// Options are the options of Write.
type Options struct {
	// Repository is the repository with both commits.
	Repository string
	// Config is the path of the bench.yaml that will configure the comparison.
	Config string
	// Base and Head are full commits.
	Base, Head string
	// Packages are the Go packages, as go list names them, that both revisions build; empty means ./...
	Packages []string
	// Harness is the path of the harness's own program. Programs are further programs. All must be built without cgo.
	Harness  string
	Programs []string
	// Limit is the maximum size of the bundle in bytes; 0 means no limit.
	Limit int64
	// Log receives one line per step.
	Log func(format string, values ...any)
}

// A Summary describes a bundle.
type Summary struct {
	Bytes int64
	Parts []Part
}

// A Part is a top-level folder of the bundle.
type Part struct {
	Name  string
	Files int
	Bytes int64 // before compression
}

var (
	//go:embed files/run
	launcher []byte
	//go:embed files/git
	gitLauncher []byte
	//go:embed files/README
	readmeText string
)

// Write writes the bundle to the file out. It replaces an existing file once the new one is complete.
func Write(ctx context.Context, options Options, out string) (*Summary, error) {
	if options.Log == nil {
		options.Log = func(string, ...any) {}
	}
	repository, err := filepath.Abs(options.Repository)
	if err != nil {
		return nil, err
	}
	options.Repository = repository
	work, err := os.MkdirTemp("", "chiasmus-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	list := &contents{}
	for _, program := range append([]string{options.Harness}, options.Programs...) {
		if err := list.program(program); err != nil {
			return nil, err
		}
	}
	if err := list.git(); err != nil {
		return nil, err
	}
	options.Log("packing the commits %.7s and %.7s", options.Base, options.Head)
	if err := list.commits(ctx, options, filepath.Join(work, "commits")); err != nil {
		return nil, err
	}
	golang, err := list.golang(ctx, options, work)
	if err != nil {
		return nil, err
	}
	list.texts(options, golang)
	return list.write(out, options.Limit)
}

// commits packs both revisions and the configuration, without its build.fetch: the other host has no network.
func (list *contents) commits(ctx context.Context, options Options, folder string) error {
	commits := []string{options.Base}
	if options.Head != options.Base {
		commits = append(commits, options.Head)
	}
	fetch := workflows.FetchOptions{Repository: options.Repository, Config: options.Config, Local: true, Log: options.Log}
	if err := workflows.Fetch(ctx, commits, fetch, folder); err != nil {
		return err
	}
	config := filepath.Join(folder, "config", "bench.yaml")
	data, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	if data, err = withoutFetch(data); err != nil {
		return fmt.Errorf("%s: %w", options.Config, err)
	}
	if err := os.WriteFile(config, data, 0o644); err != nil {
		return err
	}
	return list.folder("commits", folder)
}

// texts adds the launcher and its README.
func (list *contents) texts(options Options, golang *golang) {
	toolchain, without, flags := "", "", "-mod=readonly"
	if golang != nil {
		toolchain = ", go a toolchain (" + golang.version + ") with what the two revisions import, modules their modules"
		without = ", without Go"
		if golang.vendored {
			flags = ""
		}
	}
	// Not text/template: linking it keeps the linker from removing unused methods of the harness.
	fill := strings.NewReplacer("{{base}}", options.Base, "{{head}}", options.Head,
		"{{system}}", runtime.GOOS+"/"+runtime.GOARCH, "{{without-go}}", without, "{{toolchain}}", toolchain,
		"{{goflags}}", flags)
	list.text("run", fill.Replace(string(launcher)), true)
	list.text("README", fill.Replace(readmeText), false)
}

// hostLibraries are the libraries that any host with glibc has. A program that opens the CUDA driver must use the
// host's libraries, as the driver does.
var hostLibraries = []string{"libc.so.6", "libdl.so.2", "libpthread.so.0", "libm.so.6"}

// program adds a program to the folder bin.
func (list *contents) program(file string) error {
	needed, err := dynamic(file)
	if err != nil {
		return err
	}
	for _, library := range needed.libraries {
		if !slices.Contains(hostLibraries, library) {
			return fmt.Errorf("%s needs the shared library %s, which the other host may lack: build the program with "+
				"CGO_ENABLED=0", file,
				library)
		}
	}
	return list.file(path.Join("bin", filepath.Base(file)), file)
}

// Open creates the repository of an unpacked bundle, with both revisions tagged and an empty work tree. The launcher
// calls it on first use and then copies bench.yaml into the work tree.
func Open(ctx context.Context, folder, into, base, head string) error {
	commits := []string{base}
	if head != base {
		commits = append(commits, head)
	}
	partial := into + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	if err := workflows.OpenBundle(ctx, folder, partial, commits); err != nil {
		return err
	}
	for name, commit := range map[string]string{"base": base, "head": head} {
		if _, err := gitOutput(ctx, partial, "update-ref", "refs/tags/"+name, commit); err != nil {
			return err
		}
	}
	if err := emptyHead(ctx, partial); err != nil {
		return err
	}
	if err := os.Rename(partial, into); err != nil {
		return errors.Join(err, os.RemoveAll(partial))
	}
	return nil
}

// emptyHead checks out an empty commit and ignores all files, so that the work tree is clean although it contains
// bench.yaml and neither revision.
func emptyHead(ctx context.Context, repository string) error {
	tree, err := gitOutput(ctx, repository, "write-tree") // of an index without entries
	if err != nil {
		return err
	}
	commit, err := gitOutput(ctx, repository, "-c", "user.name=harness", "-c", "user.email=harness@localhost",
		"commit-tree", "-m", "empty", strings.TrimSpace(string(tree)))
	if err != nil {
		return err
	}
	if _, err := gitOutput(ctx, repository, "update-ref", "HEAD", strings.TrimSpace(string(commit))); err != nil {
		return err
	}
	exclude := filepath.Join(repository, ".git", "info", "exclude")
	if err := os.MkdirAll(filepath.Dir(exclude), 0o755); err != nil {
		return err
	}
	return os.WriteFile(exclude, []byte("*\n"), 0o644)
}
