package workflows

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
)

// BundleSchema is the version of the bundle folder's index.
const BundleSchema = "chiasmus.bundle/1"

// Files of a bundle folder.
const (
	bundleIndex  = "index.json"
	bundleRepo   = "repository.bundle"
	bundleConfig = "config" // a folder: bench.yaml and the inputs that it names
)

// A Bundle is what travels to the executor: git bundles of the commits and of their submodules, and the bench.yaml
// that decides.
type Bundle struct {
	Schema  string   `json:"schema"`
	Commits []string `json:"commits"`
	// Submodules are the repositories of submodules, those within them too.
	Submodules []BundledModule `json:"submodules"`
}

// A BundledModule is one submodule's repository.
type BundledModule struct {
	// Names lead from the repository to the submodule: one name, or several for a submodule in a submodule.
	Names []string `json:"names"`
	// File is its bundle within the folder.
	File string `json:"file"`
}

// FetchOptions say where commits come from.
type FetchOptions struct {
	// Repository is a checkout of the repository with an origin that has the commits.
	Repository string
	// Config is the bench.yaml that decides, unless ConfigCommit names the commit whose own does.
	Config       string
	ConfigCommit string
	// Token may read the origin; empty where it is public or local.
	Token string
	// Server is GitHub's address, the one the token is sent to.
	Server string
	// Local allows origins and submodules on this machine's disk: for simulate and tests.
	Local bool
	// Log receives a line a step.
	Log func(format string, values ...any)
}

// maxModules bounds the submodules of a head that may be a stranger's.
const maxModules = 64

// Fetch packs commits into the folder out. Nothing of them is checked out or run. The commits of a fork are fetched by
// their pinned SHA, never by a name that can move.
func Fetch(ctx context.Context, commits []string, options FetchOptions, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "chiasmus-fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	packer := &packer{options: options, work: work, out: out}
	origin, err := packer.git(ctx, options.Repository, "remote", "get-url", "origin")
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
	index := Bundle{Schema: BundleSchema, Commits: commits, Submodules: packer.bundled}
	data, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, bundleIndex), append(data, '\n'), 0o644)
}

// A packer gathers commits in bare repositories of its own and writes bundles of them.
type packer struct {
	options   FetchOptions
	work, out string
	pending   []pendingModule
	bundled   []BundledModule
}

type pendingModule struct {
	names      []string
	repository string
	commits    []string
}

// pack fetches commits into a new bare repository, from near repositories where they are there and else from origin,
// and writes the bundle where file is not empty.
func (packer *packer) pack(ctx context.Context, origin string, near, commits []string, file string) (string, error) {
	repository, err := os.MkdirTemp(packer.work, "repository-")
	if err != nil {
		return "", err
	}
	if _, err := packer.git(ctx, repository, "init", "-q", "--bare"); err != nil {
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
	for _, local := range near {
		// A local repository hands out any commit that it has, on request.
		if _, err := packer.git(ctx, repository, "fetch", "-q", "--no-tags", "--upload-pack", "git -c uploadpack.allowAnySHA1InWant=true upload-pack", local, reference); err == nil {
			return nil
		}
	}
	if err := packer.allowed(origin); err != nil {
		return err
	}
	packer.log("fetch %s from %s", commit, origin)
	if _, err := packer.git(ctx, repository, "fetch", "-q", "--no-tags", origin, reference); err != nil {
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
	_, err := packer.git(ctx, repository, arguments...)
	return err
}

// allowed lets the controller fetch over https alone; an address of another kind could name a program or a file.
func (packer *packer) allowed(address string) error {
	parsed, err := url.Parse(address)
	switch {
	case err == nil && parsed.Scheme == "https" && parsed.Host != "":
		return nil
	case packer.options.Local && (err == nil && parsed.Scheme == "file" || filepath.IsAbs(address)):
		return nil
	}
	return fmt.Errorf("%q is no https address", clip(address, 120))
}

// copyConfig puts the bench.yaml that decides, and the input files that it names, beside the bundles.
func (packer *packer) copyConfig(ctx context.Context, repository string) error {
	read := func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(packer.options.Config), filepath.FromSlash(name)))
	}
	source := filepath.Base(packer.options.Config)
	if commit := packer.options.ConfigCommit; commit != "" {
		source = config.FileName
		read = func(name string) ([]byte, error) {
			text, err := packer.git(ctx, repository, "cat-file", "blob", commit+":"+name)
			return []byte(text), err
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
		for _, template := range []config.Template{workload.Session, workload.Process, workload.Verify} {
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

// git runs git with hooks, prompts and the user's configuration out of the way. The token travels in the
// environment, for GitHub's own address only, and never in an argument.
func (packer *packer) git(ctx context.Context, directory string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", directory, "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"}, arguments...)...)
	command.Env = append(command.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1")
	if packer.options.Token != "" {
		credential := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + packer.options.Token))
		command.Env = append(command.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http."+strings.TrimSuffix(packer.options.Server, "/")+"/.extraheader",
			"GIT_CONFIG_VALUE_0=Authorization: Basic "+credential)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", arguments[0], err, strings.TrimSpace(tail(stderr.String(), 400)))
	}
	return string(output), nil
}

func (packer *packer) log(format string, values ...any) {
	if packer.options.Log != nil {
		packer.options.Log(format, values...)
	}
}
