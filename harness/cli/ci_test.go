package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/chiasmus/chiasmus/harness/cli"
	"github.com/chiasmus/chiasmus/workflows/pipeline"
)

// ci post writes the note of the job that measured, and removes the token from the environment.
func TestCIPost(t *testing.T) {
	var lock sync.Mutex
	var posted []string
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		if request.Header.Get("PRIVATE-TOKEN") != "secret" {
			writer.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch request.Method + " " + request.URL.Path {
		case "GET /user":
			writer.Write([]byte(`{"id":1}`))
		case "GET /projects/12/merge_requests/5/notes":
			writer.Write([]byte(`[]`))
		case "POST /projects/12/merge_requests/5/notes":
			var sent struct{ Body string }
			if err := json.NewDecoder(request.Body).Decode(&sent); err != nil {
				t.Error(err)
			}
			posted = append(posted, sent.Body)
			writer.WriteHeader(http.StatusCreated)
			writer.Write([]byte(`{"id":9}`))
		default:
			writer.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	set := func(iid string) {
		for name, value := range map[string]string{"GITLAB_CI": "true", "CI_API_V4_URL": server.URL, "CI_PROJECT_ID": "12",
			"CI_COMMIT_SHA": strings.Repeat("1", 40), "CI_MERGE_REQUEST_IID": iid,
			"CI_MERGE_REQUEST_DIFF_BASE_SHA": strings.Repeat("2", 40), "GITLAB_TOKEN": "secret"} {
			t.Setenv(name, value)
		}
	}
	file := filepath.Join(t.TempDir(), "comment.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := pipeline.Marker("measure job") + "\nno regression\n"
	for name, test := range map[string]struct {
		iid, text, want string
		code            int
	}{
		"a comment":               {iid: "5", text: good},
		"another merge request":   {iid: "6", text: good, code: 3, want: "GitLab answers 404"},
		"a push":                  {text: good, code: 2, want: "does not belong to a merge or pull request"},
		"something else's file":   {iid: "5", text: "hello\n", code: 2, want: "not a file that harness ci"},
		"a marker that is longer": {iid: "5", text: "<!-- chiasmus:ci a --> b -->\n", code: 2, want: "not a file"},
	} {
		set(test.iid)
		write(test.text)
		posted = nil
		var out, log strings.Builder
		code := cli.Main([]string{"ci", "post", file}, &out, &log)
		if code != test.code || !strings.Contains(log.String(), test.want) || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", name, code, test.code, test.want, log.String())
		}
		if test.code == 0 && (len(posted) != 1 || posted[0] != test.text) || test.code != 0 && len(posted) != 0 {
			t.Errorf("%s: posted %q", name, posted)
		}
		if test.code != 2 && os.Getenv("GITLAB_TOKEN") != "" {
			t.Errorf("%s: the token is left in the environment", name)
		}
	}
}

// The example for GitLab parses, its jobs use its own stages, and the harness knows its commands.
func TestGitLabExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/guide/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	if match == nil {
		t.Fatal("docs/guide/ci.md has no example")
	}
	type job struct {
		Stage     string              `yaml:"stage"`
		Tags      []string            `yaml:"tags"`
		Needs     []string            `yaml:"needs"`
		Rules     []map[string]string `yaml:"rules"`
		Variables map[string]string   `yaml:"variables"`
		Script    []string            `yaml:"script"`
	}
	var file map[string]yaml.Node
	if err := yaml.Unmarshal(match[1], &file); err != nil {
		t.Fatal(err)
	}
	var stages []string
	node := file["stages"]
	if err := node.Decode(&stages); err != nil || len(stages) != 2 {
		t.Fatalf("stages %q: %v", stages, err)
	}
	delete(file, "stages")
	commands := 0
	for name, node := range file {
		var one job
		if err := node.Decode(&one); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(stages, " "), one.Stage) || len(one.Script) == 0 || len(one.Rules) == 0 {
			t.Errorf("job %s: %+v", name, one)
		}
		for _, needed := range one.Needs {
			if _, ok := file[needed]; !ok {
				t.Errorf("job %s needs %s, which is none", name, needed)
			}
		}
		for _, line := range one.Script {
			words := strings.Fields(line)
			var out, log strings.Builder
			if code := cli.Main(append(words[1:], "--help"), &out, &log); words[0] != "harness" || code != 0 {
				t.Errorf("job %s: %q: exit code %d: %s", name, line, code, log.String())
			}
			commands++
		}
	}
	if commands != 2 {
		t.Errorf("%d commands", commands)
	}
}
