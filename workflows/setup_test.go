package workflows

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// said returns a step's findings, one per line.
func said(t *testing.T, step Step) string {
	t.Helper()
	findings, err := step.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, finding := range findings {
		text.WriteString(string(finding.Health) + " " + finding.What + "\n")
		if finding.Health != Fine && finding.Do == "" {
			t.Errorf("%q says not what to do", finding.What)
		}
	}
	return text.String()
}

// FilesStep finds missing and different files, writes them, and finds nothing the next time.
func TestFilesStep(t *testing.T) {
	directory := t.TempDir()
	if err := os.Mkdir(filepath.Join(directory, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	step := FilesStep(InitialiseOptions{Directory: directory, Commit: someCommit, Label: DefaultLabel})
	if got := said(t, step); !strings.Contains(got, "wrong there is no bench.yaml") ||
		!strings.Contains(got, "missing: "+labelFile+", "+workflowPath) {
		t.Errorf("an empty folder: %s", got)
	}
	if err := step.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := said(t, step); strings.Contains(got, "wrong") {
		t.Errorf("after it was done: %s", got)
	}
	// Without a pin and a label in the options, the step takes both from the files.
	later := FilesStep(InitialiseOptions{Directory: directory})
	if got := said(t, later); got != "ok 2 workflow files are up to date, their actions pinned to 0123456\n" {
		t.Errorf("later: %s", got)
	}
	path := filepath.Join(directory, labelFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "permissions: {}", "permissions: write-all", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(t, later); !strings.Contains(got, "wrong different from this harness's version: "+labelFile) {
		t.Errorf("a file that was changed: %s", got)
	}
	if err := later.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(data) {
		t.Errorf("it was not restored: %v", err)
	}
	if err := os.WriteFile(filepath.Join(directory, "bench.yaml"), []byte("version: 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(t, later); !strings.Contains(got, "wrong ") || !strings.Contains(got, "bench.yaml:1") {
		t.Errorf("a broken bench.yaml: %s", got)
	}
}

func TestServiceStep(t *testing.T) {
	root := t.TempDir()
	step := ServiceStep(root, Unit{Repository: "o/r", User: "bench", Software: "/opt/actions-runner",
		Labels: []string{"self-hosted", "gpu"}, Registrations: `ssh "mint"@desk 100%`})
	if got := said(t, step); !strings.Contains(got, "wrong missing") {
		t.Errorf("nothing is there: %s", got)
	}
	if err := step.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := said(t, step); strings.Contains(got, "wrong") {
		t.Errorf("after it was done: %s", got)
	}
	unit, err := os.ReadFile(filepath.Join(root, "etc/systemd/system/chiasmus-runner.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`--registrations="ssh \"mint\"@desk 100%%"`, "Delegate=yes",
		"--labels=self-hosted,gpu"} {
		if !strings.Contains(string(unit), want) {
			t.Errorf("%q is missing in the unit:\n%s", want, unit)
		}
	}
	changed := filepath.Join(root, "etc/sysusers.d/chiasmus-runner.conf")
	if err := os.WriteFile(changed, []byte("u bench 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(t, step); !strings.Contains(got, "wrong missing, or different from the flags: "+changed+"\n") {
		t.Errorf("a file that was changed: %s", got)
	}
	// These settings imply DeviceAllow, which would block the GPU. No file contains the token.
	for _, never := range []string{"ProtectClock", "PrivateDevices", "DevicePolicy", "GITHUB_TOKEN", "EnvironmentFile"} {
		if strings.Contains(string(unit), never) {
			t.Errorf("%q is in the unit", never)
		}
	}
	app := Unit{Repository: "o/r", User: "bench", Software: "/opt/r", App: 7}.Files()[UnitFile]
	if !strings.Contains(app, "--app=7 --app-key=%d/app.pem\nLoadCredential=app.pem:"+KeyFile+"\n") {
		t.Errorf("the unit of an App:\n%s", app)
	}
}

func TestRequiredCheck(t *testing.T) {
	world := newWorld(t)
	world.Tokens["admin"] = githubtest.Permissions{"contents": "read", "administration": "read"}
	client := world.controller("admin").Client
	if got := requiredCheck(context.Background(), client, "main"); got.Health != Fine ||
		!strings.Contains(got.What, "does not require") {
		t.Errorf("%+v", got)
	}
	world.Contexts = []string{"test", checkName}
	if got := requiredCheck(context.Background(), client, "main"); !strings.Contains(got.What, "requires the check") {
		t.Errorf("%+v", got)
	}
	if got := requiredCheck(context.Background(), client, "nothing"); got.Health != Unknown {
		t.Errorf("a branch that is none: %+v", got)
	}
}

// For a public repository of a personal account, setup names the safe alternatives.
func TestPersonalAccount(t *testing.T) {
	world := newWorld(t)
	world.Repository.Personal = true
	findings, err := Diagnose(context.Background(), world.controller("gate").Client)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		if finding.Health == Wrong && strings.Contains(finding.What, "personal account") {
			return
		}
	}
	t.Errorf("it is not found: %+v", findings)
}
