package first

import (
	"os/exec"
	"strings"
	"testing"
)

func TestGo(t *testing.T) {
	const (
		main  = "// Command x.\npackage main\n"
		suite = "package x\nfunc BenchmarkX(b *testing.B) {}\n"
	)
	for name, e := range map[string]example{
		"a module": {
			files: map[string]string{
				"go.mod": "module example.org/zk/v2\n", "main.go": main, "main_test.go": main,
				"gen.go":        "//go:build ignore\n" + main,
				"testdata/x.go": main, "nested/go.mod": "module y\n", "nested/main.go": main, "vendor/v/main.go": main,
			},
			kind: "Go", command: "go build -trimpath -o bin/ .", workloads: "zk", artifacts: "bin/zk",
		},
		"programs": {
			files: map[string]string{"go.mod": "module x\n", "x.go": "package x\n", "cmd/b/b.go": main, "cmd/b/c.go": main,
				"a/b/x.go": main, "a/c/x.go": main, "Makefile": "x: y\n\tcc -o x y\n"},
			kind: "Go", command: "go build -trimpath -o bin/ ./cmd/b ./a/c", workloads: "b (c)", artifacts: "bin/b bin/c",
			left: []string{"two programs are called b: left out ./a/b"},
		},
		"benchmarks": {
			files: map[string]string{"go.mod": "module x\n", "b_test.go": suite, "sub/b_test.go": suite, "cmd/p/p.go": main,
				"other/o_test.go": "package o\nfunc BenchmarkX(t *testing.T) {}\nfunc Benchmarkx(b *testing.B) {}\n"},
			kind: "Go", command: "sh -ec go build -trimpath -o bin/ ./cmd/p\n" +
				"go test -c -vet=off -trimpath -o bin/x.test .\ngo test -c -vet=off -trimpath -o bin/sub.test ./sub\n",
			workloads: "bench bench-sub (p)", artifacts: "bin/x.test bin/sub.test bin/p",
			process: "{bin/x.test} -test.run=^$ -test.bench=. -test.benchmem -test.benchtime=100ms",
		},
		"a library with a Makefile": {
			files: map[string]string{"go.mod": "module x\n", "x.go": "package x\n// package main\n",
				"Makefile": "x: y\n\tcc -o x y\n"},
			kind: "make", command: "make x", workloads: "x", artifacts: "x",
		},
	} {
		check(t, name, e)
	}
	made, _ := suggested(t, map[string]string{"go.mod": "module x\n", "sub/b_test.go": suite})
	if got := strings.Join(processOf(t, made), " "); !strings.HasPrefix(got, `sh -ec cd "$0"; exec "$@" ./sub {`) {
		t.Errorf("benchmarks of a folder run by %s", got)
	}
}

func TestCargo(t *testing.T) {
	pkg := func(name, more string) string { return "[package]\nname = \"" + name + "\"\n" + more }
	for name, e := range map[string]example{
		"a crate": {
			files: map[string]string{"Cargo.toml": pkg("zk", "edition = \"2024\"\n"), "Cargo.lock": "", "src/main.rs": "",
				"Makefile": "x:\n\tcc -o x\n", "go.mod": "module x\n"},
			kind: "Cargo", command: "cargo build --release --offline --locked --package=zk --bin=zk", workloads: "zk",
			artifacts: "target/release/zk",
		},
		"programs of a crate": {
			files: map[string]string{
				"Cargo.toml": pkg("zk", "default-run = \"c\"\n[[bin]]\nname = \"prove\"\npath = \"src/main.rs\"\n"+
					"[[bin]]\nname = \"big\"\nrequired-features = [\"gpu\"]\n"),
				"src/main.rs": "", "src/bin/c.rs": "", "src/bin/big.rs": "", "src/bin/d/main.rs": "", "src/bin/d/e.rs": "",
			},
			kind: "Cargo", command: "cargo build --release --offline --package=zk --bin=c --bin=prove --bin=d",
			workloads: "c (prove) (d)",
			artifacts: "target/release/c target/release/prove target/release/d",
			left:      []string{"cargo generate-lockfile", "program big of . wants the features gpu"},
		},
		"a workspace": {
			files: map[string]string{
				"Cargo.toml": "[workspace]\nmembers = [\"crates/*\", \"tool/\"]\nexclude = [\"crates/old\"]\n", "Cargo.lock": "",
				"crates/a/Cargo.toml": pkg("a", ""), "crates/a/src/main.rs": "", "crates/lib/Cargo.toml": pkg("lib", ""),
				"crates/b/Cargo.toml": pkg("b", "autobins = false\n"), "crates/b/src/main.rs": "",
				"crates/old/Cargo.toml": pkg("old", ""), "crates/old/src/main.rs": "", "crates/notes.txt": "",
				"tool/Cargo.toml": pkg("tool", ""), "tool/src/main.rs": "",
				".cargo/config.toml": "[build]\ntarget-dir = \"out\"\ntarget = \"x86_64-unknown-linux-musl\"\n",
			},
			kind: "Cargo", command: "cargo build --release --offline --locked --package=a --bin=a --package=tool --bin=tool",
			workloads: "a (tool)",
			artifacts: "out/x86_64-unknown-linux-musl/release/a out/x86_64-unknown-linux-musl/release/tool",
		},
		"Criterion": {
			files: map[string]string{
				"Cargo.toml": pkg("zk", "[dev-dependencies]\ncriterion = {version = \"0.5\"}\n[[bench]]\nname = \"my-b\"\n"+
					"harness = false\n[[bench]]\nname = \"built-in\"\n"), "Cargo.lock": "", "src/main.rs": "",
			},
			kind: "Cargo", workloads: "bench-zk-my-b (zk)", artifacts: "bin/zk-my-b target/release/zk",
			command: "sh -ec cargo build --release --offline --locked --package=zk --bin=zk\nmkdir -p bin\n" +
				"cargo bench --no-run --message-format=json-render-diagnostics --offline --locked --package=zk --bench=my-b " +
				">bin/messages\n" +
				`cp "$(sed -n 's/.*"kind":\["bench"\].*"executable":"\([^"]*\)".*/\1/p' bin/messages)" bin/zk-my-b` + "\n",
			process: "{bin/zk-my-b} --bench --noplot --sample-size 10 --warm-up-time 1 --measurement-time 1",
		},
	} {
		check(t, name, e)
	}
	for name, files := range map[string]map[string]string{
		"none of the 1 packages": {"Cargo.toml": pkg("zk", ""), "src/lib.rs": ""},
		"Cargo.toml: toml":       {"Cargo.toml": "[package\n"},
		"a/Cargo.toml: toml":     {"Cargo.toml": "[workspace]\nmembers = [\"a\"]\n", "a/Cargo.toml": "name"},
		"workspace.members":      {"Cargo.toml": "[workspace]\nmembers = [\"[\"]\n"},
	} {
		if _, err := Suggest(folder(t, files), Choice{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A Cargo.lock that is ignored by git is missing from the worktree of a build.
func TestIgnoredLock(t *testing.T) {
	directory := folder(t, map[string]string{"Cargo.toml": "[package]\nname = \"zk\"\n", "src/main.rs": "",
		"Cargo.lock": "", ".gitignore": "Cargo.lock\n"})
	if out, err := exec.Command("git", "-C", directory, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	made, err := Suggest(directory, Choice{})
	if err != nil || strings.Contains(made.Text, "--locked") || len(made.Left) != 1 {
		t.Errorf("%v, %q\n%s", err, made.Left, made.Text)
	}
}
