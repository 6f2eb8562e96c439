package workflows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/workflows/api"
)

var (
	pinWords    = regexp.MustCompile(`uses: ([A-Za-z0-9._-]+/[A-Za-z0-9._-]+)/\.github/actions/[a-z-]+@([0-9a-f]{40})`)
	labelWords  = regexp.MustCompile(`(?m)^          label: '([^'\n]+)'$`)
	branchWords = regexp.MustCompile(`(?m)^    branches: \['([^'\n]+)'\]$`)
)

// A Step is one step of `harness github setup`. It checks the current state first, and can be repeated.
type Step struct {
	Name string
	// Look checks the current state and changes nothing.
	Look func(ctx context.Context) ([]Finding, error)
	// Offer describes what Do would do, for a confirmation; it is empty if only a person can do it.
	Offer string
	Do    func(ctx context.Context) error
}

// FilesStep compares a checkout's workflow files with the files that init writes. The wanted triggers are the options'
// triggers and the ones already present; a file's own pin applies if the options have none.
func FilesStep(options InitialiseOptions) Step {
	return Step{
		Name: "workflow files",
		Look: func(context.Context) ([]Finding, error) { return lookAtFiles(options) },
		Offer: "write " + workflowPath + ", the workflows of existing and requested triggers, and bench.yaml if there is " +
			"none",
		Do: func(context.Context) error {
			wanted := asTheyAre(options)
			wanted.Force = true
			if !commitPattern.MatchString(wanted.Commit) {
				return errors.New("this harness does not know its own commit: name one with --commit")
			}
			_, err := Initialise(wanted)
			return err
		},
	}
}

// asTheyAre completes options from the files of the checkout.
func asTheyAre(options InitialiseOptions) InitialiseOptions {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(options.Directory, filepath.FromSlash(name)))
		if err != nil {
			return ""
		}
		return string(data)
	}
	if match := pinWords.FindStringSubmatch(read(workflowPath)); match != nil {
		if options.Repository == "" {
			options.Repository = match[1]
		}
		if options.Commit == "" {
			options.Commit = match[2]
		}
	}
	if match := labelWords.FindStringSubmatch(read(labelFile)); match != nil && options.Label == "" {
		options.Label = match[1]
	}
	if match := branchWords.FindStringSubmatch(read(pushFile)); match != nil {
		options.Push, options.Branch = true, match[1]
	}
	// The repository may have its own nightly.yml, which is not replaced.
	options.Nightly = options.Nightly || strings.Contains(read(nightlyFile), "/.github/actions/nightly-plan@")
	if options.Repository == "" {
		options.Repository = ActionsRepository
	}
	return options
}

func lookAtFiles(options InitialiseOptions) ([]Finding, error) {
	const restore = "`harness github setup` or `harness github init --force` writes them"
	var findings []Finding
	prefix := DefaultPrefix
	file, err := config.Load(filepath.Join(options.Directory, config.FileName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		findings = append(findings, Finding{Wrong, "there is no bench.yaml here", restore})
	case err != nil:
		return []Finding{{Wrong, err.Error(), "fix bench.yaml: docs/reference/bench-yaml.md has every key"}}, nil
	default:
		prefix = file.GitHub.Comment
		if len(file.GitHub.RunsOn) == 0 {
			findings = append(findings, Finding{Wrong, "bench.yaml does not say where to measure",
				"set github.runs_on to the labels of the GPU runner"})
		}
	}
	wanted := asTheyAre(options)
	if !commitPattern.MatchString(wanted.Commit) {
		return append(findings, Finding{Wrong, workflowPath + " is missing",
			"name the commit of the actions with --commit, and run this again"}), nil
	}
	made, err := workflows(wanted, prefix)
	if err != nil {
		return nil, err
	}
	var missing, stale []string
	for name, text := range made {
		data, err := os.ReadFile(filepath.Join(options.Directory, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, os.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return nil, err
		case string(data) != text:
			stale = append(stale, name)
		}
	}
	slices.Sort(missing)
	slices.Sort(stale)
	if len(missing) > 0 {
		findings = append(findings, Finding{Wrong, "missing: " + strings.Join(missing, ", "), restore})
	}
	if len(stale) > 0 {
		findings = append(findings, Finding{Wrong, "different from this harness's version: " + strings.Join(stale, ", "),
			restore})
	}
	if len(missing)+len(stale) == 0 {
		findings = append(findings, Finding{Fine, fmt.Sprintf("%d workflow files are up to date, their actions pinned to %s",
			len(made), wanted.Commit[:7]), ""})
	}
	return findings, nil
}

// RepositoryStep runs Diagnose, and checks whether the verdict is required for merging.
func RepositoryStep(client *api.Client) Step {
	return Step{Name: "repository on GitHub", Look: func(ctx context.Context) ([]Finding, error) {
		findings, err := Diagnose(ctx, client)
		if err != nil {
			return nil, err
		}
		repository, err := client.Repository(ctx)
		if err != nil {
			return nil, err
		}
		return append(findings, requiredCheck(ctx, client, repository.GetDefaultBranch())), nil
	}}
}

// requiredCheck reports whether the branch requires the check run. Both answers are fine.
func requiredCheck(ctx context.Context, client *api.Client, branch string) Finding {
	contexts, err := client.RequiredChecks(ctx, branch)
	switch {
	case err != nil:
		return Finding{Unknown, "the required checks of " + branch + " could not be read: " + err.Error(),
			"give the token contents read"}
	case slices.Contains(contexts, checkName):
		return Finding{Fine, fmt.Sprintf("%s requires the check %s before merging", branch, checkName), ""}
	}
	return Finding{Fine, fmt.Sprintf("%s does not require the check %s, so verdicts are advisory (docs/guide/github.md, "+
		"Required checks and merge queues)", branch, checkName), ""}
}

// ServiceStep compares the runner's service files below root, which is / except in tests, with the unit's.
func ServiceStep(root string, unit Unit) Step {
	files := unit.Files()
	places := map[string]string{}
	for name, folder := range map[string]string{UnitFile: "etc/systemd/system", SysusersFile: "etc/sysusers.d",
		TmpfilesFile: "etc/tmpfiles.d"} {
		places[filepath.Join(root, folder, filepath.Base(name))] = files[name]
	}
	wrong := func() (names []string) {
		for path, text := range places {
			if data, err := os.ReadFile(path); err != nil || string(data) != text {
				names = append(names, path)
			}
		}
		slices.Sort(names)
		return names
	}
	return Step{
		Name: "runner's service",
		Look: func(context.Context) ([]Finding, error) {
			if names := wrong(); len(names) > 0 {
				return []Finding{{Wrong, "missing, or different from the flags: " + strings.Join(names, ", "),
					"`harness github setup --host --yes` as root writes them; then: systemd-sysusers, systemd-tmpfiles --create, " +
						"systemctl daemon-reload, systemctl enable --now chiasmus-runner"}}, nil
			}
			return []Finding{{Fine, "the files of the unit, the user and the folders are in place", ""}}, nil
		},
		Offer: "write " + strings.Join([]string{UnitFile, SysusersFile, TmpfilesFile}, ", ") + " below " +
			filepath.Join(root, "etc"),
		Do: func(context.Context) error {
			for _, path := range wrong() {
				if err := writeFile(path, []byte(places[path])); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
