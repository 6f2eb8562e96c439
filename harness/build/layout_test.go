package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
)

// projects are small provers for the recipes with a randomized layout in docs/guide/recipes.md, by the first word of
// build.command, and the programs that the recipe needs here. CI has all of them except those that it cannot install:
// Debian's Cargo comes from Rust 1.63, and the recipe needs the lld of 1.90 or later.
var projects = map[string]struct {
	needs []string
	inCI  bool // CI has to have them
	files map[string]string
}{
	"cargo": {[]string{"cargo"}, false, map[string]string{
		"Cargo.toml": "[package]\nname = \"prover\"\nversion = \"0.1.0\"\n",
		"Cargo.lock": "version = 3\n\n[[package]]\nname = \"prover\"\nversion = \"0.1.0\"\n",
		"src/main.rs": `#[inline(never)] fn one(x: u64) -> u64 { x.rotate_left(7) ^ 12345 }
#[inline(never)] fn two(x: u64) -> u64 { x.wrapping_mul(x | 5) }
fn main() { println!("{}", (0..1000).fold(1, |x, i| two(one(x) + i))) }
`,
		".gitignore": "/target\n",
	}},
	"make": {[]string{"make", "cc", "ld.lld"}, true, map[string]string{
		"Makefile": "CFLAGS = -O2 -ffunction-sections\nprover: main.o parts.o\n\t$(CC) -o $@ $^ $(LDFLAGS)\n",
		"parts.c": "unsigned long one(unsigned long x) { return (x << 7 | x >> 57) ^ 12345; }\nunsigned long two(unsigned " +
			"long x) { return x * (x | 5); }\n",
		"main.c": `#include <stdio.h>
unsigned long one(unsigned long), two(unsigned long);
int main(void) { unsigned long x = 1; for (int i = 0; i < 1000; i++) x = two(one(x) + i); printf("%lu\n", x); return 0; }
`,
		".gitignore": "/prover\n*.o\n",
	}},
}

// The documented recipes randomize layouts: two seeds make two programs that print the same output.
func TestDocumentedLayouts(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, m := range regexp.MustCompile("(?s)```yaml\n(version: 1\n.*?)```").FindAllSubmatch(text, -1) {
		file, err := config.Parse("recipes.md", m[1])
		if err != nil {
			t.Fatal(err)
		}
		tool := file.Build.Command[0]
		if file.Build.Layout.Args == nil {
			continue
		}
		tried[tool] = true
		t.Run(tool, func(t *testing.T) { tryLayout(t, file.Build) })
	}
	for tool := range projects {
		if !tried[tool] {
			t.Errorf("no recipe draws layouts with %s", tool)
		}
	}
}

func tryLayout(t *testing.T, recipe config.Build) {
	project, known := projects[recipe.Command[0]]
	if !known {
		t.Fatalf("no project for %v", recipe.Command)
	}
	for _, program := range project.needs {
		if _, err := exec.LookPath(program); err != nil && project.inCI && os.Getenv("CI") == "true" {
			t.Fatalf("%s is not on the PATH: CI installs it", program)
		} else if err != nil {
			t.Skipf("%s is not on the PATH", program)
		}
	}
	f := newFixture(t)
	for name, text := range project.files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(f.dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		f.writeFile(filepath.Join(f.dir, name), text)
	}
	request := f.request(f.commit(simple))
	var hashes, printed []string
	for _, seed := range []uint64{7, 8} {
		request.Build = recipe.With(seed)
		r := f.build(request)
		out, err := exec.Command(r.Artifacts[recipe.Artifacts[0]]).Output()
		if err != nil {
			t.Fatal(err)
		}
		hashes, printed = append(hashes, r.Provenance.Artifacts[0].SHA256), append(printed, strings.TrimSpace(string(out)))
	}
	if hashes[0] == hashes[1] || printed[0] != printed[1] || printed[0] == "" {
		t.Errorf("programs %v print %v", hashes, printed)
	}
}
