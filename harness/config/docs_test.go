package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const docs = "../../docs/reference/bench-yaml.md"

// Every complete example file of the documentation has to be accepted.
func TestDocumentedExamples(t *testing.T) {
	for file, least := range map[string]int{docs: 3, "../../docs/guide/recipes.md": 4,
		"../../docs/start/your-prover.md": 1} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile("(?s)```yaml\n(version: 1\n.*?)```").FindAllSubmatch(text, -1)
		if len(found) < least {
			t.Fatalf("%s: %d examples", file, len(found))
		}
		for _, m := range found {
			if _, err := Parse("example", m[1]); err != nil {
				t.Errorf("%s: %v\nin\n%s", file, err, m[1])
			}
		}
	}
}

// Every key that the decoder knows has to be documented. The decoder lists its keys when it is given a key that
// resembles none.
func TestEveryKeyIsDocumented(t *testing.T) {
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	const odd = "zzzzzzzzzzzz"
	known := regexp.MustCompile(`known here are (.*)`)
	for section, source := range map[string]string{
		"":                    minimal + odd + ": 1\n",
		"build.":              strings.Replace(minimal, "{command", "{"+odd+": 1, command", 1),
		"workloads[].":        minimal + "    " + odd + ": 1\n",
		"workloads[].expect.": minimal + "    expect: {" + odd + ": 1}\n",
		"workloads[].units.":  minimal + "    units: {" + odd + ": 1}\n",
		"metrics.":            minimal + "metrics: {" + odd + ": 1}\n",
		"metrics.primary.":    minimal + "metrics: {primary: {name: a, " + odd + ": 1}}\n",
		"metrics.stages.":     minimal + "metrics: {stages: {margin: 1%, " + odd + ": 1}}\n",
		"plan.":               minimal + "plan: {" + odd + ": 1}\n",
		"environment.":        minimal + "environment: {" + odd + ": 1}\n",
		"host.":               minimal + "host: {" + odd + ": 1}\n",
		"github.":             minimal + "github: {" + odd + ": 1}\n",
		"nightly.":            minimal + "nightly: {" + odd + ": 1}\n",
	} {
		_, err := Parse("x", []byte(source))
		m := known.FindStringSubmatch(errorText(err))
		if m == nil {
			t.Errorf("%s: %v", section, err)
			continue
		}
		for _, key := range strings.Split(m[1], ", ") {
			heading := "### " + key
			if row := "| `" + section + key + "` |"; !strings.Contains(string(text), row) &&
				!strings.Contains(string(text), heading+"\n") &&
				!strings.Contains(string(text), "| `"+section+key+".") {
				t.Errorf("%s%s is not documented", section, key)
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The documented defaults equal the program's.
func TestDocumentedDefaults(t *testing.T) {
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+)\\.([a-z_]+)` \\|.*\\| `([^`]+)` "+
		"\\|$").FindAllStringSubmatch(string(text), -1)
	sections := map[string]string{}
	for _, m := range rows {
		if m[1] == "metrics" {
			continue // its rows describe one metric
		}
		sections[m[1]] += "  " + m[2] + ": " + m[3] + "\n"
	}
	var source strings.Builder
	source.WriteString(minimal)
	for _, name := range []string{"plan", "environment", "github", "nightly"} {
		if sections[name] == "" {
			t.Fatalf("no defaults of %s found", name)
		}
		source.WriteString(name + ":\n" + sections[name])
	}
	if strings.Count(source.String(), "\n") < 30 {
		t.Fatalf("only a few defaults found:\n%s", &source)
	}
	written, err := Parse("defaults", []byte(source.String()))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Parse("minimal", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if written.Plan != plain.Plan {
		t.Errorf("plan: documented %+v, real %+v", written.Plan, plain.Plan)
	}
	compare(t, "environment", written.Environment, plain.Environment)
	compare(t, "github", written.GitHub, plain.GitHub)
	compare(t, "nightly", written.Nightly, plain.Nightly)
}

func compare[T any](t *testing.T, name string, documented, real T) {
	t.Helper()
	if diff := cmp.Diff(documented, real, compareFiles); diff != "" {
		t.Errorf("%s, documented (-) and real (+): %s", name, diff)
	}
}
