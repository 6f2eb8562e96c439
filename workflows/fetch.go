package workflows

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/git"
)

// bundleSchema is the version of the bundle folder's index.
const bundleSchema = "chiasmus.bundle/1"

// Files of a bundle folder.
const (
	bundleIndex  = "index.json"
	bundleRepo   = "repository.bundle"
	bundleConfig = "config" // a folder: bench.yaml and the inputs that it names
)

// A Bundle is sent to the executor: git bundles of the commits and their submodules, and the bench.yaml to use.
type Bundle struct {
	Schema  string   `json:"schema"`
	Commits []string `json:"commits"`
	// Submodules are the repositories of submodules, including nested ones.
	Submodules []BundledModule `json:"submodules"`
}

// A BundledModule is one submodule's repository.
type BundledModule struct {
	// Names lead from the repository to the submodule: one name, or several for a nested submodule.
	Names []string `json:"names"`
	// File is the path of its bundle in the folder.
	File string `json:"file"`
}

// FetchOptions specify where commits come from.
type FetchOptions struct {
	// Repository is a checkout whose origin has the commits.
	Repository string
	// Config is the bench.yaml to use, unless ConfigCommit names the commit whose own bench.yaml is used.
	Config       string
	ConfigCommit string
	// Token may read the origin; empty if the origin is public or local.
	Token string
	// Server is GitHub's address; the token is sent only there.
	Server string
	// Local allows origins and submodules on this machine's disk: for simulate and tests.
	Local bool
	// Log receives one line for each step.
	Log func(format string, values ...any)
}

// maxModules bounds the number of submodules, because head is untrusted.
const maxModules = 64

// Fetch packs commits into the folder out, without checking out or running anything. It fetches a fork's commits by
// their pinned SHAs, never by a name that can move.
func Fetch(ctx context.Context, commits []string, options FetchOptions, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "chiasmus-fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	runner, err := git.Controller(options.Server, options.Token)
	if err != nil {
		return err
	}
	packer := &packer{options: options, git: runner, work: work, out: out}
	origin, err := packer.ask(ctx, options.Repository, "remote", "get-url", "origin")
	if err != nil {
		if !options.Local {
			return fmt.Errorf("the checkout has no origin: %w", err)
		}
		origin = options.Repository
	}
	repository, err := packer.pack(ctx, strings.TrimSpace(origin), []string{options.Repository}, commits, bundleRepo)
	if err != nil {
		return err
	}
	for _, commit := range commits {
		if err := packer.modules(ctx, repository, strings.TrimSpace(origin), commit, nil); err != nil {
			return err
		}
	}
	if err := packer.finish(ctx); err != nil {
		return err
	}
	if err := packer.copyConfig(ctx, repository); err != nil {
		return err
	}
	index := Bundle{Schema: bundleSchema, Commits: commits, Submodules: packer.bundled}
	data, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, bundleIndex), append(data, '\n'), 0o644)
}

// A packer collects commits in bare repositories of its own and writes bundles of them.
type packer struct {
	options   FetchOptions
	git       git.Git
	work, out string
	pending   []pendingModule
	bundled   []BundledModule
}

type pendingModule struct {
	names      []string
	repository string
	commits    []string
}

// pack fetches commits into a new bare repository, from near repositories that have them and otherwise from origin. It
// writes the bundle unless file is empty.
func (packer *packer) pack(ctx context.Context, origin string, near, commits []string, file string) (string, error) {
	repository, err := os.MkdirTemp(packer.work, "repository-")
	if err != nil {
		return "", err
	}
	if _, err := packer.ask(ctx, repository, "init", "-q", "--bare", "--template="); err != nil {
		return "", err
	}
	for _, commit := range commits {
		if err := packer.obtain(ctx, repository, origin, near, commit); err != nil {
			return "", err
		}
	}
	if file == "" {
		return repository, nil
	}
	return repository, packer.bundle(ctx, repository, commits, file)
}

func (packer *packer) obtain(ctx context.Context, repository, origin string, near []string, commit string) error {
	reference := commit + ":refs/heads/chiasmus-" + commit
	fetch := func(call git.Call, arguments ...string) error {
		call.Dir, call.Args = repository, append([]string{"fetch", "-q", "--no-tags"}, append(arguments, reference)...)
		_, err := packer.git.Run(ctx, call)
		return err
	}
	for _, local := range near {
		// A local repository serves any of its commits on request.
		if err := fetch(git.Call{Protocols: []string{"file"}}, "--upload-pack",
			"git -c uploadpack.allowAnySHA1InWant=true upload-pack", local); err == nil {
			return nil
		}
	}
	protocol, err := packer.protocol(origin)
	if err != nil {
		return err
	}
	packer.log("fetch %s from %s", commit, origin)
	err = fetch(git.Call{Protocols: []string{protocol}, Token: true}, origin)
	if err != nil && packer.options.Token != "" && ctx.Err() == nil {
		// With the token, redirects are not followed. A repository that moved and is public can be fetched without the
		// token.
		if fetch(git.Call{Protocols: []string{protocol}}, origin) == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("commit %s cannot be fetched: %w", commit, err)
	}
	return nil
}

func (packer *packer) bundle(ctx context.Context, repository string, commits []string, file string) error {
	path := filepath.Join(packer.out, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	arguments := []string{"bundle", "create", "-q", path}
	for _, commit := range commits {
		arguments = append(arguments, "refs/heads/chiasmus-"+commit)
	}
	_, err := packer.ask(ctx, repository, arguments...)
	return err
}

// protocol restricts the controller's fetches to https; another kind of address could name a program or a file.
func (packer *packer) protocol(address string) (string, error) {
	parsed, err := url.Parse(address)
	switch {
	case err == nil && parsed.Scheme == "https" && parsed.Host != "":
		return "https", nil
	case packer.options.Local && (err == nil && parsed.Scheme == "file" || filepath.IsAbs(address)):
		return "file", nil
	}
	return "", fmt.Errorf("%q is not an https address", clip(address, 120))
}

// copyConfig copies the bench.yaml to use, and the input files that it names, next to the bundles.
func (packer *packer) copyConfig(ctx context.Context, repository string) error {
	read := func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(packer.options.Config), filepath.FromSlash(name)))
	}
	source := filepath.Base(packer.options.Config)
	if commit := packer.options.ConfigCommit; commit != "" {
		source = config.FileName
		read = func(name string) ([]byte, error) {
			return packer.git.Output(ctx, git.Call{Dir: repository, Args: []string{"cat-file", "blob", commit + ":" + name}})
		}
	}
	data, err := read(source)
	if err != nil {
		return fmt.Errorf("bench.yaml: %w", err)
	}
	file, err := config.Parse(source, data)
	if err != nil {
		return err
	}
	folder := filepath.Join(packer.out, bundleConfig)
	if err := writeFile(filepath.Join(folder, config.FileName), data); err != nil {
		return err
	}
	for _, workload := range file.Workloads {
		for _, template := range workload.Templates() {
			for _, name := range template.Texts(config.Input) { // checked by Parse: relative, and does not climb
				data, err := read(name)
				if err != nil {
					return fmt.Errorf("workload %s: {input:%s}: %w", workload.Name, name, err)
				}
				if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), data); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// ask runs git in a repository, with all network protocols forbidden.
func (packer *packer) ask(ctx context.Context, directory string, arguments ...string) (string, error) {
	return packer.git.Run(ctx, git.Call{Dir: directory, Args: arguments})
}

func (packer *packer) log(format string, values ...any) {
	if packer.options.Log != nil {
		packer.options.Log(format, values...)
	}
}
