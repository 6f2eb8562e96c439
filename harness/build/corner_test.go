package build

import (
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A reused build equals the build's output: contents of equal length, modes and links are checked.
func TestReuseIsExact(t *testing.T) {
	for name, damage := range map[string]func(deps string) error{
		"other content of the same length": func(deps string) error {
			return os.WriteFile(filepath.Join(deps, "lib"), []byte("LIB\n"), 0o644)
		},
		"another mode": func(deps string) error { return os.Chmod(filepath.Join(deps, "lib"), 0o700) },
		"another link": func(deps string) error {
			link := filepath.Join(deps, "link")
			if err := os.Remove(link); err != nil {
				return err
			}
			return os.Symlink("../deps/lib", link)
		},
	} {
		f := newFixture(t)
		build := func(text string) *Result {
			req := f.request(f.withDependency(text))
			req.Build.Reuse = []string{"target"}
			return f.build(req)
		}
		first := build("one")
		if build("two"); f.dependencies() != 1 {
			t.Fatalf("%s: nothing is reused", name)
		}
		entries, err := f.cache.Entries()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries { // whichever is the newest
			if err := damage(filepath.Join(e.Dir, "worktree", "target", "deps")); err != nil {
				t.Fatal(err)
			}
		}
		if third := build("three"); f.dependencies() != 2 || f.content(third) != "lib\nthree" {
			t.Errorf("%s: reused; artifact %q after %s", name, f.content(third), first.Provenance.SHA)
		}
	}
}

// Builds in another environment belong to another family, because their output may have been compiled differently.
func TestFamiliesAreOfOneEnvironment(t *testing.T) {
	f := newFixture(t)
	build := func(text string) {
		req := f.request(f.withDependency(text))
		req.Build.Reuse = []string{"target"}
		f.build(req)
	}
	t.Setenv("CFLAGS", "-O2")
	build("one")
	t.Setenv("CFLAGS", "-O0")
	if build("two"); f.dependencies() != 2 {
		t.Errorf("%d builds of the dependency", f.dependencies())
	}
	if build("three"); f.dependencies() != 2 {
		t.Errorf("%d builds of the dependency", f.dependencies())
	}
}

// The recipe's variables override the caller's, and the command line's override the recipe's.
func TestWhichVariableCounts(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	t.Setenv("FLAVOUR", "of the caller")
	recipe := f.request(rev).Build
	recipe.EnvPass = []string{"FLAV*"}
	for _, c := range []struct {
		recipe, extra map[string]string
		want          string
	}{
		{nil, nil, "prover of the caller"},
		{map[string]string{"FLAVOUR": "of the recipe"}, nil, "prover of the recipe"},
		{nil, map[string]string{"FLAVOUR": "as asked"}, "prover as asked"},
		{map[string]string{"FLAVOUR": "of the recipe"}, map[string]string{"FLAVOUR": "as asked"}, "prover as asked"},
	} {
		req := f.request(rev)
		req.Build = recipe
		req.Build.Env, req.ExtraEnv = c.recipe, c.extra
		if got := f.content(f.build(req)); got != c.want {
			t.Errorf("%v and %v: %q, want %q", c.recipe, c.extra, got, c.want)
		}
	}
}

// The compiler chosen on the command line is recorded like the recipe's.
func TestToolsThatTheCallerChooses(t *testing.T) {
	f := newFixture(t)
	f.compiler()
	req := f.request(f.commit(simple))
	req.ExtraEnv = map[string]string{"RUSTUP_TOOLCHAIN": "1.88.0"}
	if p := f.build(req).Provenance; p.Versions()["rustc"] != "rustc 1.88.0" {
		t.Errorf("%v", p.Chosen)
	}
}

// Dependencies that build.fetch downloaded elsewhere are an input only if nothing is fetched here.
func TestFetchedIsAnInputWhereSealed(t *testing.T) {
	f := newFixture(t)
	req := f.request(f.commit(simple))
	for _, sealed := range []bool{false, true} {
		req.Sealed, req.Fetched = sealed, &dependencies.Fetched{SHA256: "x"}
		in, err := f.cache.describe(t.Context(), req)
		if err != nil || (in.Fetched == "x") != sealed {
			t.Errorf("sealed %v: %q, %v", sealed, in.Fetched, err)
		}
	}
}

// Object stores that git borrows from are found by absolute paths, and by paths relative to the store.
func TestAlternates(t *testing.T) {
	root := t.TempDir()
	objects := filepath.Join(root, "one", "objects")
	for _, folder := range []string{"one/objects/info", "two", "three"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := alternates(objects); len(got) != 0 {
		t.Errorf("without any: %q", got)
	}
	text := strings.Join([]string{filepath.Join(root, "two"), "../../three", "../../none"}, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(root, "two"), filepath.Join(root, "three")}
	if got := alternates(objects); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
