package api

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/go-github/v60/github"
)

// Jobs lists the jobs of the latest attempt of a workflow run.
func (client *Client) Jobs(ctx context.Context, run int64) ([]*github.WorkflowJob, error) {
	var jobs []*github.WorkflowJob
	err := client.do(ctx, "list the run's jobs", func() error {
		jobs = jobs[:0]
		return pages(10, func(page int) (*github.Response, error) {
			answer, response, err := client.github.Actions.ListWorkflowJobs(ctx, client.owner, client.name, run,
				&github.ListWorkflowJobsOptions{Filter: "latest", ListOptions: github.ListOptions{Page: page, PerPage: 100}})
			if answer != nil {
				jobs = append(jobs, answer.Jobs...)
			}
			return response, err
		})
	})
	return jobs, err
}

// CancelRun asks GitHub to cancel a workflow run. A run that has ended already, or is gone, is no error.
func (client *Client) CancelRun(ctx context.Context, run int64) error {
	return client.do(ctx, fmt.Sprintf("cancel run %d", run), func() error {
		_, err := client.github.Actions.CancelWorkflowRunByID(ctx, client.owner, client.name, run)
		var accepted *github.AcceptedError
		var response *github.ErrorResponse
		if errors.As(err, &accepted) || NotFound(err) || errors.As(err, &response) && response.Response.StatusCode == http.StatusConflict {
			return nil
		}
		return err
	})
}

// ErrNoArtifact says that a run has no artifact of the name asked for.
var ErrNoArtifact = errors.New("the run has no such artifact")

// An ArtifactLimit bounds what is read of an artifact: bytes of the archive, files in it, bytes of the file wanted.
type ArtifactLimit struct {
	Archive int64
	Files   int
	File    int64
	// Since leaves out artifacts that are older, such as those of an earlier attempt of the same run.
	Since time.Time
}

// ArtifactFile reads the one file called file out of the newest artifact called name of a run, within limit.
// Nothing is written to disk and no path of the archive is followed: the archive must hold exactly that file,
// a regular one, at its top.
func (client *Client) ArtifactFile(ctx context.Context, run int64, name, file string, limit ArtifactLimit) ([]byte, error) {
	id, err := client.findArtifact(ctx, run, name, limit)
	if err != nil {
		return nil, err
	}
	var archive []byte
	err = client.do(ctx, "download artifact "+name, func() error {
		address, answer, err := client.github.Actions.DownloadArtifact(ctx, client.owner, client.name, id, 0)
		if err != nil && answer != nil && answer.Response != nil { // go-github says the status only in words
			return &github.ErrorResponse{Response: answer.Response, Message: err.Error()}
		}
		if err != nil {
			return err
		}
		// The address is signed; it is asked without the token, which must not leave the API's host.
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
		if err != nil {
			return err
		}
		response, err := client.http.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return &github.ErrorResponse{Response: response, Message: "the artifact's address answers " + response.Status}
		}
		archive, err = io.ReadAll(io.LimitReader(response.Body, limit.Archive+1))
		return err
	})
	if err != nil {
		return nil, err
	}
	return ReadArchive(archive, file, limit)
}

func (client *Client) findArtifact(ctx context.Context, run int64, name string, limit ArtifactLimit) (int64, error) {
	var found *github.Artifact
	err := client.do(ctx, "list the run's artifacts", func() error {
		found = nil
		return pages(10, func(page int) (*github.Response, error) {
			answer, response, err := client.github.Actions.ListWorkflowRunArtifacts(ctx, client.owner, client.name, run, &github.ListOptions{Page: page, PerPage: 100})
			if err != nil {
				return response, err
			}
			for _, artifact := range answer.Artifacts {
				old := artifact.CreatedAt != nil && artifact.CreatedAt.Before(limit.Since)
				if artifact.GetName() == name && !old && (found == nil || artifact.GetID() > found.GetID()) {
					found = artifact
				}
			}
			return response, nil
		})
	})
	switch {
	case err != nil:
		return 0, err
	case found == nil:
		return 0, fmt.Errorf("artifact %q: %w", name, ErrNoArtifact)
	case found.GetExpired():
		return 0, fmt.Errorf("artifact %q has expired", name)
	case found.GetSizeInBytes() > limit.Archive:
		return 0, fmt.Errorf("artifact %q has %d bytes, at most %d are read", name, found.GetSizeInBytes(), limit.Archive)
	}
	return found.GetID(), nil
}

// ReadArchive reads the file called name out of a zip archive in memory. The archive must hold exactly that file.
func ReadArchive(archive []byte, name string, limit ArtifactLimit) ([]byte, error) {
	if int64(len(archive)) > limit.Archive {
		return nil, fmt.Errorf("the archive has more than %d bytes", limit.Archive)
	}
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("the archive is no zip file: %w", err)
	}
	if len(reader.File) > limit.Files {
		return nil, fmt.Errorf("the archive holds %d files, at most %d are allowed", len(reader.File), limit.Files)
	}
	var found *zip.File
	for _, entry := range reader.File {
		if entry.Name != name || found != nil {
			return nil, fmt.Errorf("the archive holds %q, only one %q is allowed", entry.Name, name)
		}
		if !entry.Mode().IsRegular() {
			return nil, fmt.Errorf("%q in the archive is no regular file", name)
		}
		found = entry
	}
	if found == nil {
		return nil, fmt.Errorf("the archive does not hold %q", name)
	}
	// The size in the header is a claim: the reader below stops by itself.
	stream, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("%q in the archive: %w", name, err)
	}
	defer stream.Close()
	data, err := io.ReadAll(io.LimitReader(stream, limit.File+1))
	if err != nil {
		return nil, fmt.Errorf("%q in the archive: %w", name, err)
	}
	if int64(len(data)) > limit.File {
		return nil, fmt.Errorf("%q in the archive has more than %d bytes", name, limit.File)
	}
	return data, nil
}
