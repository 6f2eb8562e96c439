package githubfake

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoute(t *testing.T) {
	for _, test := range []struct {
		method, path, call string
		parameters         map[string]string
	}{
		{"GET", "/repos/o/r", "GET " + root, map[string]string{"owner": "o", "repo": "r"}},
		{"GET", "/repos/o/r/contents/a/b%20c.yml", "GET " + root + "/contents/{path}",
			map[string]string{"owner": "o", "repo": "r", "path": "a/b c.yml"}},
		{"GET", "/repos/o/r/git/ref/heads/a/b", "GET " + root + "/git/ref/{ref}",
			map[string]string{"owner": "o", "repo": "r", "ref": "heads/a/b"}},
		{"PATCH", "/repos/o/r/issues/comments/7", "PATCH " + root + "/issues/comments/{comment_id}",
			map[string]string{"owner": "o", "repo": "r", "comment_id": "7"}},
		{"GET", "/repos/o/r/actions/permissions", "GET " + root + "/actions/permissions",
			map[string]string{"owner": "o", "repo": "r"}},
		{"PUT", "/repos/o/r", "PUT /repos/o/r", nil},
		{"GET", "/repos/o/r/check-runs/1/more", "GET /repos/o/r/check-runs/1/more", nil},
	} {
		call, parameters := route(test.method, test.path)
		if diff := cmp.Diff(test.parameters, parameters); call != test.call || diff != "" {
			t.Errorf("%s %s: %s, want %s\n%s", test.method, test.path, call, test.call, diff)
		}
	}
}
