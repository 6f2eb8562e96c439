package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/pipeline"
)

const textCILong = `Compare the two commits of a CI job. Base and head come from the variables of GitLab CI (a merge
request is compared with the base of its diff, a push with the branch's previous commit) or of GitHub Actions. Elsewhere
--base names the base, and head is HEAD. The report goes to standard output, and with --junit and --markdown to files.

In a job of a merge or pull request that has a token (GITLAB_TOKEN, a project access token with the scope api; or
GITHUB_TOKEN), the command posts a comment, and later runs of the same job edit it. The harness removes the token from
its environment, so that child processes do not inherit it. A job that measures untrusted code should have no token:
measure there with --markdown FILE, and post the file in a later job with harness ci post FILE.

Exit codes: 0 no regression; 1 regression; 2 wrong usage, including an unknown commit; 3 a build, proof or verification
failed, or the comment could not be posted; 4 the host is unfit; 130 interrupted. --fail-on adds verdicts to 1.`

const textCIPostLong = `Post a file that harness ci --markdown wrote as a comment on this job's merge or pull request,
or edit the comment that an earlier run posted. Exit codes: 0 posted; 3 the comment could not be posted.`

// ciFlags are the flags of ci in addition to the flags of compare.
type ciFlags struct {
	base, head, junit, markdown, comment, name string
}

func (a *app) ci() *cobra.Command {
	var f runFlags
	var o ciFlags
	c := &cobra.Command{
		Use:   "ci [--base REV] [--head REV]",
		Short: "compare the commits of this CI job (GitLab, GitHub, plain shells)",
		Long:  textCILong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.comment != "auto" && o.comment != "off" {
				return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("--comment %q: want auto or off", o.comment)})
			}
			job, secrets, err := o.detect()
			if err == nil {
				err = f.complete(c, a, []string{job.Range()})
			}
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			a.logf("harness: %s: %s, %s", job.Provider, job.Range(), job.Why)
			if f.dryRun {
				return a.dryRun(c.Context(), f.options)
			}
			return a.pipeline(c.Context(), f, &o, job, secrets)
		},
	}
	f.register(c)
	flags := c.Flags()
	flags.StringVar(&o.base, "base", "", "compare with revision `REV` (default: the one that the job's variables name)")
	flags.StringVar(&o.head, "head", "", "compare revision `REV` (default: the job's commit, else HEAD)")
	flags.StringVar(&o.junit, "junit", "", "write the report as JUnit XML to `FILE`")
	flags.StringVar(&o.markdown, "markdown", "", "write the comment to `FILE`")
	flags.StringVar(&o.comment, "comment", "auto", "auto: post the comment if there is a token; off: never")
	flags.StringVar(&o.name, "name", "", "name that distinguishes this job's comment from others' (default: the job's "+
		"name)")
	for _, hidden := range []string{"hosts", "dirty"} { // ci compares two commits on this host
		if flag := flags.Lookup(hidden); flag != nil {
			flag.Hidden = true
		}
	}
	c.AddCommand(a.ciPost())
	return c
}

// detect reads which commits this job compares, and removes the tokens from the environment.
func (o *ciFlags) detect() (*pipeline.Job, map[string]string, error) {
	variables, secrets, event := readPipeline()
	job, err := pipeline.Detect(variables, event, o.base, o.head)
	if err == nil && o.name != "" {
		job.Key = o.name
	}
	return job, secrets, err
}

// pipeline measures, writes the files and posts the comment.
func (a *app) pipeline(ctx context.Context, f runFlags, o *ciFlags, job *pipeline.Job,
	secrets map[string]string) error {
	controls, end := a.controls(f.noWait)
	controls.Baselines = f.options.Baselines
	f.options.Controls = controls
	report, err := harness.Compare(ctx, f.options)
	end()
	ended := a.conclude(report, err, f.output)
	if report == nil {
		return ended
	}
	if err := o.write(report, job); err != nil {
		a.complain(err)
		return firstFailure(ended)
	}
	if o.comment == "off" {
		return ended
	}
	var body bytes.Buffer
	if err := writeComment(&body, report, job); err != nil {
		a.complain(err)
		return firstFailure(ended)
	}
	if err := a.post(ctx, job, secrets, body.String()); err != nil {
		a.complain(err)
		return firstFailure(ended)
	}
	return ended
}

// firstFailure returns the error of the measurement if there is one, else exit code 3.
func firstFailure(ended error) error {
	if ended != nil {
		return ended
	}
	return exit(failure.ExitFailed)
}

// write writes the files that the flags name.
func (o *ciFlags) write(report *harness.Report, job *pipeline.Job) error {
	for path, render := range map[string]harness.Renderer{
		o.junit:    formats["junit"],
		o.markdown: func(w io.Writer, r *harness.Report) error { return writeComment(w, r, job) },
	} {
		if path == "" {
			continue
		}
		var text bytes.Buffer
		if err := render(&text, report); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeComment writes the text of the comment, which starts with the job's marker.
func writeComment(w io.Writer, report *harness.Report, job *pipeline.Job) error {
	if _, err := fmt.Fprintln(w, pipeline.Marker(job.Key)); err != nil {
		return err
	}
	return markdown.Write(w, report, markdown.Options{MaxBytes: workflows.MaxBody - 1024})
}

// post posts the comment if the job belongs to a merge or pull request and has a token.
func (a *app) post(ctx context.Context, job *pipeline.Job, secrets map[string]string, body string) error {
	marker := pipeline.Marker(job.Key)
	token := secrets["GITHUB_TOKEN"]
	if job.Provider == pipeline.GitLab {
		token = secrets["GITLAB_TOKEN"]
	}
	switch {
	case job.Number == 0:
		return nil
	case token == "":
		a.logf("harness: no comment is posted, because this job of %s has no token", job.Provider)
		return nil
	case job.Provider == pipeline.GitLab:
		notes := pipeline.Notes{API: job.API, Project: job.Project, MergeRequest: job.Number, Token: token}
		return notes.Post(ctx, marker, body)
	}
	client, err := api.New(job.API, job.Project, token, api.Retry{})
	if err != nil {
		return err
	}
	own, err := client.OwnComments(ctx, job.Number, defaultAuthor, marker)
	if err != nil {
		return err
	}
	if len(own) > 0 {
		if there, err := client.EditComment(ctx, own[0].GetID(), body); there || err != nil {
			return err
		}
	}
	_, err = client.PostOnce(ctx, job.Number, defaultAuthor, marker, body)
	return err
}

func (a *app) ciPost() *cobra.Command {
	return &cobra.Command{
		Use:   "post FILE",
		Short: "post a file that ci --markdown wrote as this job's comment",
		Long:  textCIPostLong,
		Args:  oneArgument("the file that harness ci --markdown wrote"),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := readAll(args[0])
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			body := string(data)
			first, _, _ := strings.Cut(body, "\n")
			key, ok := strings.CutPrefix(first, "<!-- chiasmus:ci ")
			key = strings.TrimSuffix(key, " -->")
			if !ok || pipeline.Marker(key) != first || len(body) > workflows.MaxBody {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("%s: not a file that harness ci --markdown wrote",
					args[0])})
			}
			// The file contains the job's key. This job's variables say on which request it is posted.
			o := ciFlags{base: "HEAD", name: key}
			job, secrets, err := o.detect()
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			if job.Number == 0 {
				return a.failed(&failure.UsageError{Err: errors.New("this job does not belong to a merge or pull request")})
			}
			if err := a.post(c.Context(), job, secrets, body); err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
}
