package first

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/chiasmus/chiasmus/harness/config"
)

var update = flag.Bool("update", false, "write the bench.yaml of every case")

// line returns the words of a line of a case's comment. Some are in single quotes.
func line(t *testing.T, archive *txtar.Archive, key string) []string {
	t.Helper()
	for text := range strings.Lines(string(archive.Comment)) {
		if rest, ok := strings.CutPrefix(text, key+": "); ok {
			var words []string
			for i, part := range strings.Split(strings.TrimSpace(rest), "'") {
				if i%2 == 1 {
					words = append(words, part)
				} else {
					words = append(words, strings.Fields(part)...)
				}
			}
			return words
		}
	}
	t.Fatalf("no line %q", key)
	return nil
}

// The five provers of docs/lab/case-studies.md: with the names and arguments of the page, init writes the bench.yaml
// that was measured. Without arguments it chooses what the line "main" says.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) != 5 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			layout := map[string]string{}
			want := ""
			for _, f := range archive.Files {
				if f.Name == config.FileName {
					want = string(f.Data)
					continue
				}
				layout[f.Name] = string(f.Data)
			}
			directory := folder(t, layout)
			words := line(t, archive, "init")
			dash := slices.Index(words, "--")
			made, err := Suggest(directory, Choice{Names: words[:dash], Arguments: words[dash+1:]})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := config.Parse(config.FileName, []byte(made.Text)); err != nil {
				t.Errorf("%v\n%s", err, made.Text)
			}
			if *update {
				archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == config.FileName })
				archive.Files = append(archive.Files, txtar.File{Name: config.FileName, Data: []byte(made.Text)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if made.Text != want {
				t.Errorf("bench.yaml is\n%s\nwant\n%s", made.Text, want)
			}
			made, err = Suggest(directory, Choice{})
			if err != nil || !slices.Equal(made.Workloads, line(t, archive, "main")) {
				t.Errorf("without a name: %q, %v", made.Workloads, err)
			}
		})
	}
}

// Choices by name, and the errors of invalid choices.
func TestChoose(t *testing.T) {
	directory := folder(t, map[string]string{
		"go.mod": "module x\n", "a/m/m.go": "package main\n", "b/b_test.go": "package b\nfunc BenchmarkX(b *testing.B) {}\n",
		"c/b/b_test.go": "package b\nfunc BenchmarkY(b *testing.B) {}\n",
	})
	for name, want := range map[string]string{
		"m": "bin/m", "./a/m": "bin/m", "bench-b": "bin/b.test", "c/b": "bin/b_.test",
	} {
		made, err := Suggest(directory, Choice{Names: []string{name}, Arguments: []string{"{x}"}})
		if err != nil || !strings.Contains(made.Text, "artifacts: ["+want+"]\n") || strings.Contains(made.Text, "default:") ||
			!strings.Contains(made.Text, `, "{{x}}"]`) {
			t.Errorf("%s: %v\n%s", name, err, made.Text)
		}
	}
	for _, c := range []struct {
		choice Choice
		want   string
	}{
		{Choice{Names: []string{"none"}}, `benchmark "none" here, but there are bench-b, bench-c/b, m`},
		{Choice{Names: []string{"b"}}, `"b" may be any of bench-b, bench-c/b`},
		{Choice{Names: []string{"m", "a/m"}}, `"a/m" is named twice`},
		{Choice{Names: []string{"m", "c/b"}, Arguments: []string{"x"}}, "name one program or benchmark"},
		{Choice{Arguments: []string{"x"}}, "harness init bench-b -- x"},
	} {
		if _, err := Suggest(directory, c.choice); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.choice, err, c.want)
		}
	}
	list, err := List(directory)
	if want := []Candidate{{benchmarks, "bench-b"}, {benchmarks, "bench-c/b"}, {aProgram, "m"}}; err != nil ||
		!slices.Equal(list, want) {
		t.Errorf("%v, %v", list, err)
	}
}
