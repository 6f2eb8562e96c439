package githubtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Requests and responses that contradict the description are violations; others are not.
func TestViolations(t *testing.T) {
	server, err := New(State{Repository: Repository{ID: 1, FullName: "o/r", DefaultBranch: "main"},
		Permission: map[string]string{"ann": "write"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Tokens["t"] = Permissions{"checks": "write", "contents": "read", "pull_requests": "write"}
	call := func(method, path, body string) int {
		t.Helper()
		request, err := http.NewRequest(method, server.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer t")
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
		return response.StatusCode
	}
	for _, path := range []string{"/repos/o/r", "/repos/o/r/collaborators/ann/permission", "/repos/o/r/issues/1/comments",
		"/repos/o/r/commits/0123456789012345678901234567890123456789/check-runs"} {
		if status := call(http.MethodGet, path, ""); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if found := server.Violations(); len(found) != 0 {
		t.Fatalf("calls of the description are violations: %q", found)
	}
	if calls := server.Calls(); calls[2] != "GET /repos/{owner}/{repo}/issues/{issue_number}/comments" {
		t.Errorf("calls: %q", calls)
	}
	for i, broken := range []struct {
		method, path, body, want string
	}{
		{http.MethodGet, "/repos/o/r/nothing", "", "not in the API's description"},
		{http.MethodPost, "/repos/o/r/check-runs", `{"head_sha":"` + strings.Repeat("0", 40) + `"}`, "request POST"},
	} {
		call(broken.method, broken.path, broken.body)
		if found := server.Violations(); len(found) <= i || !strings.Contains(found[len(found)-1], broken.want) {
			t.Errorf("%s %s: %q, want %q", broken.method, broken.path, found, broken.want)
		}
	}
}
