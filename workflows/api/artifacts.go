package api

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/google/go-github/v60/github"
)

var (
	// ErrNoArtifact means that a run has no artifact with the requested name, or that none is listed yet.
	ErrNoArtifact = errors.New("the run has no such artifact")
	// ErrUnusable means that the artifact exists but violates its limits or format. It is permanent; every other error may
	// be transient.
	ErrUnusable = errors.New("the artifact cannot be used")
	// errStore means that GitHub's storage of archives failed.
	errStore = errors.New("the store of artifacts")
)

// An ArtifactLimit bounds the bytes of an archive, the number of its files, and the bytes of the requested file.
type ArtifactLimit struct {
	Archive int64
	Files   int
	File    int64
	// Since excludes older artifacts, such as those of an earlier attempt of the same run.
	Since time.Time
	// Attempts is the number of times to list a run's artifacts, ten seconds apart, until the requested one appears; 0
	// means once.
	Attempts int
}

// listingPause is the time between two listings of a run's artifacts, in multiples of Retry.First.
const listingPause = 10

// ArtifactFile returns the contents of the only file, named file, in a run's newest artifact with the given name. It
// writes nothing to disk and follows no path: the archive must contain exactly that file, regular and at the top level.
func (client *Client) ArtifactFile(ctx context.Context, run int64, name, file string,
	limit ArtifactLimit) ([]byte, error) {
	id, err := client.awaitArtifact(ctx, run, name, limit)
	if err != nil {
		return nil, err
	}
	var archive []byte
	err = client.do(ctx, "download artifact "+name, func() error {
		address, err := client.artifactAddress(ctx, id)
		if err != nil {
			return err
		}
		archive, err = client.fetchArchive(ctx, address, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	data, err := readArchive(archive, file, limit)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return data, nil
}

// artifactAddress requests the signed URL of an artifact's archive.
func (client *Client) artifactAddress(ctx context.Context, id int64) (*url.URL, error) {
	request, err := client.github.NewRequest(http.MethodGet,
		fmt.Sprintf("repos/%s/%s/actions/artifacts/%d/zip", client.owner, client.name, id), nil)
	if err != nil {
		return nil, err
	}
	response, err := client.github.BareDo(ctx, request)
	if status(err) == http.StatusFound && response != nil {
		return response.Location()
	}
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	return nil, fmt.Errorf("%w: %s instead of an address", errStore, response.Status)
}

// fetchArchive reads a signed URL without the token, which must only be sent to the API's host. All errors are
// transient, because the next attempt gets a new URL.
func (client *Client) fetchArchive(ctx context.Context, address *url.URL, limit ArtifactLimit) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := client.plain.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: it answers %s", errStore, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, limit.Archive+1))
}

// awaitArtifact finds an artifact. GitHub may list it some time after its job has ended.
func (client *Client) awaitArtifact(ctx context.Context, run int64, name string, limit ArtifactLimit) (int64, error) {
	for look := 1; ; look++ {
		id, err := client.findArtifact(ctx, run, name, limit)
		if !errors.Is(err, ErrNoArtifact) || look >= limit.Attempts {
			return id, err
		}
		if err := client.retry.Sleep(ctx, listingPause*client.retry.First); err != nil {
			return 0, err
		}
	}
}

func (client *Client) findArtifact(ctx context.Context, run int64, name string, limit ArtifactLimit) (int64, error) {
	var found *github.Artifact
	err := client.do(ctx, "list the run's artifacts", func() error {
		found = nil
		return pages(10, func(page int) (*github.Response, error) {
			answer, response, err := client.github.Actions.ListWorkflowRunArtifacts(ctx, client.owner, client.name, run,
				&github.ListOptions{Page: page, PerPage: 100})
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
		return 0, fmt.Errorf("%w: %q has expired", ErrUnusable, name)
	case found.GetSizeInBytes() > limit.Archive:
		return 0, fmt.Errorf("%w: %q has %d bytes, at most %d are read", ErrUnusable, name, found.GetSizeInBytes(),
			limit.Archive)
	}
	return found.GetID(), nil
}

// readArchive reads the file called name from a zip archive in memory. The archive must contain exactly that file.
func readArchive(archive []byte, name string, limit ArtifactLimit) ([]byte, error) {
	if int64(len(archive)) > limit.Archive {
		return nil, fmt.Errorf("the archive has more than %d bytes", limit.Archive)
	}
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("the archive is not a zip file: %w", err)
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
			return nil, fmt.Errorf("%q in the archive is not a regular file", name)
		}
		found = entry
	}
	if found == nil {
		return nil, fmt.Errorf("the archive does not hold %q", name)
	}
	// The size in the header is untrusted; the reader below enforces the limit.
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
