package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// FindIssue returns the newest issue of that author, in any state, whose body holds marker, or nil.
func (client *Client) FindIssue(ctx context.Context, author, marker string, labels []string) (*github.Issue, error) {
	return client.lookForIssue(ctx, "all", author, marker, labels)
}

// FindOpenIssue is FindIssue among the open ones.
func (client *Client) FindOpenIssue(ctx context.Context, author, marker string, labels []string) (*github.Issue, error) {
	return client.lookForIssue(ctx, "open", author, marker, labels)
}

func (client *Client) lookForIssue(ctx context.Context, state, author, marker string, labels []string) (*github.Issue, error) {
	var found *github.Issue
	err := client.do(ctx, "list issues", func() (err error) {
		found, err = client.findIssue(ctx, state, author, marker, labels)
		return err
	})
	return found, err
}

func (client *Client) findIssue(ctx context.Context, state, author, marker string, labels []string) (*github.Issue, error) {
	var found *github.Issue
	err := pages(50, func(page int) (*github.Response, error) {
		issues, response, err := client.github.Issues.ListByRepo(ctx, client.owner, client.name, &github.IssueListByRepoOptions{
			State: state, Creator: author, Labels: labels, Sort: "created", Direction: "desc", ListOptions: github.ListOptions{Page: page, PerPage: 100}})
		for _, issue := range issues {
			if found == nil && issue.GetUser().GetLogin() == author && strings.HasPrefix(issue.GetBody(), marker) {
				found = issue
			}
		}
		return response, err
	})
	return found, err
}

// OpenIssueOnce opens an issue unless author has an open one with that marker already, and returns it.
func (client *Client) OpenIssueOnce(ctx context.Context, author, marker, title, body string, labels []string) (*github.Issue, error) {
	if !strings.HasPrefix(body, marker) {
		return nil, fmt.Errorf("open an issue: the body does not begin with its marker %q", marker)
	}
	return once(ctx, client, "open an issue",
		func() (*github.Issue, bool, error) {
			issue, err := client.findIssue(ctx, "open", author, marker, labels)
			return issue, issue != nil, err
		},
		func() (*github.Issue, error) {
			issue, _, err := client.github.Issues.Create(ctx, client.owner, client.name,
				&github.IssueRequest{Title: &title, Body: &body, Labels: &labels})
			return issue, err
		})
}

// EditIssue replaces title, body and state ("open" or "closed") of an issue.
func (client *Client) EditIssue(ctx context.Context, number int, title, body, state string) error {
	return client.do(ctx, fmt.Sprintf("edit issue %d", number), func() error {
		_, _, err := client.github.Issues.Edit(ctx, client.owner, client.name, number, &github.IssueRequest{Title: &title, Body: &body, State: &state})
		return err
	})
}

// A File is a file of a branch. SHA names the version that an update replaces; it is empty for a file that is not there.
type File struct {
	Content []byte
	SHA     string
}

// ReadFile reads a file of a branch. A missing file or branch gives an empty File.
func (client *Client) ReadFile(ctx context.Context, branch, path string) (File, error) {
	var file File
	err := client.do(ctx, "read "+path+" of "+branch, func() error {
		content, _, _, err := client.github.Repositories.GetContents(ctx, client.owner, client.name, path, &github.RepositoryContentGetOptions{Ref: branch})
		if err != nil {
			return err
		}
		if content == nil {
			return fmt.Errorf("%s is a folder", path)
		}
		text, err := content.GetContent()
		file = File{Content: []byte(text), SHA: content.GetSHA()}
		return err
	})
	if NotFound(err) {
		return File{}, nil
	}
	return file, err
}

// ErrConflict says that a file changed since it was read.
var ErrConflict = errors.New("the file changed since it was read")

// WriteFile commits a file to a branch, replacing the version that was read. A repeated write whose first
// attempt did arrive finds its own content and is no conflict.
func (client *Client) WriteFile(ctx context.Context, branch, path, message string, file File) error {
	return client.do(ctx, "write "+path+" of "+branch, func() error {
		options := &github.RepositoryContentFileOptions{Message: &message, Content: file.Content, Branch: &branch}
		if file.SHA != "" {
			options.SHA = &file.SHA
		}
		_, _, err := client.github.Repositories.UpdateFile(ctx, client.owner, client.name, path, options)
		var response *github.ErrorResponse
		if errors.As(err, &response) && (response.Response.StatusCode == http.StatusConflict || response.Response.StatusCode == http.StatusUnprocessableEntity) {
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
		_, _, err = client.github.Git.CreateRef(ctx, client.owner, client.name, &github.Reference{Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: &sha}})
		return err
	})
}
