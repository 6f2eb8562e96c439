package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gitHub is a server with one repository, of the given visibility and owner, that registers runners for the token
// "right".
func gitHub(t *testing.T, repository string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/repos/a/b" && repository != "":
			fmt.Fprint(w, repository)
		case r.Method == http.MethodPost && r.URL.Path == "/repos/a/b/actions/runners/generate-jitconfig" &&
			r.Header.Get("Authorization") == "Bearer right":
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"runner":{"id":1},"encoded_jit_config":"c2VzYW1l"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"message":"Not Found"}`)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("GITHUB_API_URL", server.URL)
}

// A public repository of a personal account is served one job at a time, by a machine that is recreated for each job,
// or not at all.
func TestPublicPersonal(t *testing.T) {
	a := &app{stdout: io.Discard, stderr: io.Discard}
	for _, test := range []struct {
		repository string
		once, fine bool
	}{
		{`{"private":false,"owner":{"type":"User"}}`, false, false},
		{`{"private":false,"owner":{"type":"User"}}`, true, true},
		{`{"private":false,"owner":{"type":"Organization"}}`, false, true},
		{"", false, true}, // a private repository is invisible without a token
	} {
		gitHub(t, test.repository)
		err := a.publicPersonal(context.Background(), "a/b", test.once)
		if (err == nil) != test.fine || err != nil && !strings.Contains(err.Error(), "runner groups") {
			t.Errorf("%s, once %v: %v", test.repository, test.once, err)
		}
	}
}

// A token with administration rights registers no runners on the host of the jobs.
func TestRegistrarOnHost(t *testing.T) {
	gitHub(t, "")
	t.Setenv("GITHUB_TOKEN", "right")
	a := &app{stdout: io.Discard, stderr: io.Discard}
	if _, err := a.registrar("a/b", registrationSource{}, true, 1, []string{"gpu"}); err == nil ||
		!strings.Contains(err.Error(), "--registrations") {
		t.Errorf("a token on the host: %v", err)
	}
	for _, onHost := range []bool{true, false} {
		register, err := a.registrar("a/b", registrationSource{administer: onHost}, onHost, 1, []string{"gpu"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := register(context.Background(), "job-1"); err != nil || got != "c2VzYW1l" {
			t.Errorf("on the host %v: %q %v", onHost, got, err)
		}
	}
}

func TestMint(t *testing.T) {
	gitHub(t, "")
	noKey := filepath.Join(t.TempDir(), "app.pem")
	if err := os.WriteFile(noKey, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		token     string
		arguments []string
		code      int
		want      string
	}{
		{"right", nil, 0, "c2VzYW1l\n"},
		{"wrong", nil, 3, "register the runner"},
		{"", nil, 2, "set --app or GITHUB_TOKEN"},
		{"", []string{"--app", "5"}, 2, "--app-key"},
		{"", []string{"--app", "5", "--app-key", noKey}, 2, "is not a PEM file"},
	} {
		t.Setenv("GITHUB_TOKEN", test.token)
		var out, log strings.Builder
		code := Main(append([]string{"github", "mint", "--repository", "a/b"}, test.arguments...), &out, &log)
		if code != test.code || !strings.Contains(out.String()+log.String(), test.want) {
			t.Errorf("%q %v: exit code %d, want %d\n%s%s", test.token, test.arguments, code, test.code, out.String(),
				log.String())
		}
	}
}

// Only "yes" confirms.
func TestAsker(t *testing.T) {
	ask := asker(strings.NewReader("y\nYES\nno\n\nperhaps\n"), io.Discard)
	for i, want := range []bool{true, true, false, false, false, false} {
		if ask("write") != want {
			t.Errorf("answer %d: %v, want %v", i+1, !want, want)
		}
	}
}
