package bisect

import (
	"context"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// A Commit is one commit between good and bad.
type Commit struct {
	SHA     string `json:"sha"`
	Subject string `json:"subject"`
}

// path lists the commits after good up to bad along first parents, oldest first. It fails if that path does not lead to
// good.
func path(ctx context.Context, repository, good, bad string) ([]Commit, error) {
	output, err := git.Desk.Run(ctx, git.Call{
		Dir:  repository,
		Args: []string{"log", "--first-parent", "--reverse", "--format=%H%x00%P%x00%s", good + ".." + bad, "--"},
	})
	if err != nil {
		return nil, fmt.Errorf("list the commits of %s..%s: %w", good, bad, err)
	}
	var commits []Commit
	for i, line := range strings.Split(output, "\n") {
		fields := strings.SplitN(line, "\x00", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s..%s has no commits", good, bad)
		}
		if parent, _, _ := strings.Cut(fields[1], " "); i == 0 && parent != good {
			return nil, fmt.Errorf("%s is not a first-parent ancestor of %s: the first parents lead to %s", good, bad, parent)
		}
		commits = append(commits, Commit{SHA: fields[0], Subject: fields[2]})
	}
	return commits, nil
}
