package cli_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/chiasmus/chiasmus/harness/cli"
	"github.com/chiasmus/chiasmus/harness/fleet/serve"
	"github.com/chiasmus/chiasmus/harness/internal/fakeprover"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

func TestMain(m *testing.M) {
	// In the commands of scripts, too, which are this binary:
	floor.OnBusyHost()
	debug.SetGCPercent(800) // they allocate little, and live shortly
	cli.IsolateByDefault("off")
	testscript.Main(fakeprover.InPath(m), map[string]func(){
		"harness":              func() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"harness-fleet-server": func() { os.Exit(serve.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// Each script is a session of a user; testdata/*.txt.
func TestScripts(t *testing.T) { runScripts(t, "testdata") }

// Sessions of several seconds.
func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	runScripts(t, filepath.Join("testdata", "long"))
}

func runScripts(t *testing.T, folder string) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// Each harness asks every tool on the PATH for its version. These start slowly, and no script builds with them.
	for _, name := range []string{"java", "cmake", "cargo", "rustc"} {
		hosttest.With(t, name, "")
	}
	testscript.Run(t, testscript.Params{
		Dir: folder, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
				env.Setenv(name, "Tester")
			}
			for _, name := range []string{"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
				env.Setenv(name, "tester@example.org")
			}
			env.Setenv("REPOSITORY", repository)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home")) // its .cache has the builds
			env.Setenv("XDG_CACHE_HOME", "")
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			// Without hooks to copy and upkeep to start, git takes half the time.
			settings := filepath.Join(env.WorkDir, "gitconfig")
			env.Setenv("GIT_CONFIG_GLOBAL", settings)
			return os.WriteFile(settings, []byte("[init]\ntemplateDir =\n[maintenance]\nauto = false\n"), 0o644)
		},
		Cmds: commands,
	})
}
