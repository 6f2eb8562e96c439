package api

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"
)

// A File is a file on a branch. SHA identifies the version that an update replaces; it is empty if the file does not
// exist.
type File struct {
	Content []byte
	SHA     string
}

// ReadFile reads a file on a branch. A missing file or branch gives an empty File. GitHub returns files up to 1 MiB
// inline, and larger files up to 100 MiB as blobs.
func (client *Client) ReadFile(ctx context.Context, branch, path string) (File, error) {
	var file File
	err := client.do(ctx, "read "+path+" of "+branch, func() error {
		content, _, _, err := client.github.Repositories.GetContents(ctx, client.owner, client.name, path,
			&github.RepositoryContentGetOptions{Ref: branch})
		if err != nil {
			return err
		}
		if content == nil {
			return fmt.Errorf("%s is a folder", path)
		}
		file.SHA = content.GetSHA()
		if content.GetEncoding() == "none" {
			file.Content, err = client.readBlob(ctx, file.SHA)
			return err
		}
		text, err := content.GetContent()
		file.Content = []byte(text)
		return err
	})
	if NotFound(err) {
		return File{}, nil
	}
	return file, err
}

func (client *Client) readBlob(ctx context.Context, sha string) ([]byte, error) {
	blob, _, err := client.github.Git.GetBlob(ctx, client.owner, client.name, sha)
	if err != nil {
		return nil, err
	}
	if blob.GetEncoding() != "base64" {
		return nil, fmt.Errorf("blob %s comes as %q, base64 is needed", sha, blob.GetEncoding())
	}
	return base64.StdEncoding.DecodeString(blob.GetContent()) // the decoder skips line breaks
}

// ListFiles lists the names of the files in a folder on a branch. A missing folder or branch has none.
func (client *Client) ListFiles(ctx context.Context, branch, folder string) ([]string, error) {
	var names []string
	err := client.do(ctx, "list "+folder+" of "+branch, func() error {
		_, entries, _, err := client.github.Repositories.GetContents(ctx, client.owner, client.name, folder,
			&github.RepositoryContentGetOptions{Ref: branch})
		names = names[:0]
		for _, entry := range entries {
			if entry.GetType() == "file" {
				names = append(names, entry.GetName())
			}
		}
		return err
	})
	if NotFound(err) {
		return nil, nil
	}
	return names, err
}

// ErrConflict means that a file changed after it was read.
var ErrConflict = errors.New("the file changed since it was read")

// WriteFile commits a file to a branch, replacing the version that was read. If a previous attempt succeeded but its
// response was lost, the retry finds its own content and reports no conflict.
func (client *Client) WriteFile(ctx context.Context, branch, path, message string, file File) error {
	return client.do(ctx, "write "+path+" of "+branch, func() error {
		options := &github.RepositoryContentFileOptions{Message: &message, Content: file.Content, Branch: &branch}
		if file.SHA != "" {
			options.SHA = &file.SHA
		}
		_, _, err := client.github.Repositories.UpdateFile(ctx, client.owner, client.name, path, options)
		var response *github.ErrorResponse
		if errors.As(err, &response) &&
			(response.Response.StatusCode == http.StatusConflict ||
				response.Response.StatusCode == http.StatusUnprocessableEntity) {
			now, readErr := client.ReadFile(ctx, branch, path)
			if readErr == nil && string(now.Content) == string(file.Content) {
				return nil
			}
			return fmt.Errorf("%w: %w", ErrConflict, err)
		}
		return err
	})
}

// EnsureBranch creates a branch at a commit unless it exists.
func (client *Client) EnsureBranch(ctx context.Context, branch, sha string) error {
	return client.do(ctx, "create branch "+branch, func() error {
		_, _, err := client.github.Git.GetRef(ctx, client.owner, client.name, "heads/"+branch)
		if err == nil || !NotFound(err) {
			return err
		}
		_, _, err = client.github.Git.CreateRef(ctx, client.owner, client.name, &github.Reference{
			Ref:    github.String("refs/heads/" + branch),
			Object: &github.GitObject{SHA: &sha},
		})
		return err
	})
}
