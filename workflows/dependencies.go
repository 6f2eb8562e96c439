package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// dependenciesJob is the name of the job that runs build.fetch.
const dependenciesJob = "dependencies"

// Dependencies are the digests of the results of build.fetch, by commit. They are part of a plan, so that a result
// belongs to these dependencies and no others. Without build.fetch there are none.
type Dependencies map[string]string

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// DecodeDependencies parses the output of the job that runs build.fetch, for the commits of a plan. Empty text means
// none.
func DecodeDependencies(text string, commits []string) (Dependencies, error) {
	if text == "" {
		return nil, nil
	}
	var digests Dependencies
	if err := DecodeStrict([]byte(text), &digests); err != nil {
		return nil, fmt.Errorf("decode the digests of the dependencies: %w", err)
	}
	if len(digests) == 0 {
		return nil, nil
	}
	for commit, digest := range digests {
		if !slices.Contains(commits, commit) || !digestPattern.MatchString(digest) {
			return nil, fmt.Errorf("the digests of the dependencies have the entry %q: %q, want a commit of the plan and a "+
				"SHA-256", clip(commit, 64), clip(digest, 80))
		}
	}
	for _, commit := range commits {
		if digests[commit] == "" {
			return nil, fmt.Errorf("the digests of the dependencies lack commit %s", commit)
		}
	}
	return digests, nil
}

// Encode returns the digests as one line of JSON.
func (digests Dependencies) Encode() string {
	if digests == nil {
		digests = Dependencies{}
	}
	data, err := json.Marshal(digests)
	if err != nil { // a map of strings always encodes
		panic(err)
	}
	return string(data)
}

// Fetched returns the archives of the dependencies in the folder that FetchDependencies wrote. Commits without archives
// of their own, which a search builds, get those of preferred.
func (digests Dependencies) Fetched(folder, preferred string) map[string]dependencies.Fetched {
	fetched := map[string]dependencies.Fetched{}
	for commit, digest := range digests {
		fetched[commit] = dependencies.Fetched{Archive: archiveOf(folder, commit), SHA256: digest}
	}
	if one, ok := fetched[preferred]; ok {
		fetched[""] = one
	}
	return fetched
}

func archiveOf(folder, commit string) string { return filepath.Join(folder, commit+".tar") }

// FetchOnlyOptions say how to fetch dependencies.
type FetchOnlyOptions struct {
	// Bundle is the folder that Fetch wrote, Out an empty folder for the archives.
	Bundle, Out string
	// Log receives the output of build.fetch.
	Log io.Writer
}

// FetchDependencies runs build.fetch for every commit of a bundle, isolated, each in a checkout and home folder of its
// own, and packs the results. It needs no token and no permission, and runs on a machine without secrets.
func FetchDependencies(ctx context.Context, options FetchOnlyOptions) (Dependencies, error) {
	file, err := config.Load(filepath.Join(options.Bundle, bundleConfig, config.FileName))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(options.Out, 0o755); err != nil {
		return nil, err
	}
	index, err := readBundle(options.Bundle)
	if err != nil {
		return nil, err
	}
	if len(file.Build.Fetch) == 0 {
		return nil, writeDigests(options.Out, nil)
	}
	isolation, err := isolate.Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("build.fetch runs untrusted code, and this host cannot isolate it: %w", err)
	}
	work, err := os.MkdirTemp("", "chiasmus-dependencies-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return nil, err
	}
	opened := filepath.Join(work, "repository")
	if err := OpenBundle(ctx, options.Bundle, opened, index.Commits); err != nil {
		return nil, err
	}
	repository, err := revision.Open(opened, git.Executor)
	if err != nil {
		return nil, err
	}
	digests := Dependencies{}
	for i, commit := range index.Commits {
		if digests[commit] != "" {
			continue // an A/A run
		}
		pinned, err := repository.Pin(ctx, commit)
		if err != nil {
			return nil, err
		}
		request := build.Request{
			Repository: repository,
			Revision:   pinned,
			Build:      file.Build,
			Isolation:  &isolate.Spec{Program: isolation},
			Log:        options.Log,
		}
		packed, err := build.Fetch(ctx, request, filepath.Join(work, fmt.Sprint(i), "place"), archiveOf(options.Out, commit))
		if err != nil {
			return nil, err
		}
		for _, left := range packed.Left {
			fmt.Fprintf(options.Log, "not packed: %s\n", left)
		}
		fmt.Fprintf(options.Log, "build.fetch of %s wrote %s, an archive of %d bytes\n", commit,
			plural.Of(packed.Files, "file"), packed.Size)
		digests[commit] = packed.Digest
	}
	return digests, writeDigests(options.Out, digests)
}

// writeDigests lists the folder's contents in the folder, so that the folder is never empty.
func writeDigests(folder string, digests Dependencies) error {
	return WriteNew(filepath.Join(folder, "digests.json"), []byte(digests.Encode()+"\n"))
}

// With returns the plan with the digests of fetched dependencies. The executor measures by this plan, and publish
// checks the result against it.
func (plan *Plan) With(text string) (*Plan, error) {
	digests, err := DecodeDependencies(text, plan.Commits())
	if err != nil {
		return nil, err
	}
	if plan.Dependencies != nil {
		return nil, errors.New("the plan already names dependencies")
	}
	with := *plan
	with.Dependencies = digests
	return &with, nil
}
