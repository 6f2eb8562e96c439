package workflows

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/workflows/internal/githubfake"
)

// filesNow copies the files on a branch of the fake GitHub.
func filesNow(server *githubfake.Server, branch string) map[string][]byte {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	return maps.Clone(server.Files[branch]) // a shallow copy suffices: contents are replaced, never modified
}

// show prints the issues, and the lines of files on the branch that are not in before.
func (night *simulatedNight) show(branch string, before map[string][]byte) {
	out, server := night.options.Out, night.server
	files := filesNow(server, branch)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name == BaselinesFile {
			fmt.Fprintf(out, "\n======== baselines on %s:%s: %d\n", branch, name, bytes.Count(files[name], []byte("\n")))
			continue
		}
		if added := bytes.TrimPrefix(files[name], before[name]); len(added) > 0 {
			fmt.Fprintf(out, "\n======== history line on %s:%s\n%s", branch, name, added)
		}
	}
	server.Lock.Lock()
	defer server.Lock.Unlock()
	if len(server.Issues) == 0 {
		fmt.Fprint(out, "\n======== no issue\n")
	}
	for _, issue := range server.Issues {
		labels := ""
		if len(issue.Labels) > 0 {
			labels = ", labels " + strings.Join(issue.Labels, ", ")
		}
		fmt.Fprintf(out, "\n======== issue opened: %s%s\n%s\n", issue.Title, labels, issue.Body)
	}
}
