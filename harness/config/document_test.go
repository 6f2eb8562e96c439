package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// Files that a hostile revision could hold. Each ends in one short error with its position.
func TestHostileDocuments(t *testing.T) {
	flat := "version: 1\nworkloads: [" + strings.Repeat("1,", 70_000) + "]\n"
	bomb := "version: 1\nbuild: &b {env: &e {" + strings.Repeat("x", 10) + ": \"1\""
	for i := range 500 {
		bomb += fmt.Sprintf(", V%d: \"%d\"", i, i)
	}
	bomb += "}}\nworkloads:\n" + strings.Repeat("  - {env: *e}\n", 500)
	for want, source := range map[string]string{
		"is larger than 262144 bytes":                                     strings.Repeat("#", maxSize+1),
		"2:21: holds the byte 0xe9, which is not UTF-8":                   "version: 1\nbuild: [\"make\", \"caf\xe9\"]\n",
		"1:1: holds the byte 0xff, which is not UTF-8":                    "\xff\xfev\x00e\x00r\x00", // UTF-16
		"2:10: holds the control character 0x07":                          "version: 1\nbuild: \"a\x07b\"\n",
		"1:11: holds the control character 0x00":                          "version: 1\x00",
		"nests lists and mappings more than 64 deep":                      "build: " + strings.Repeat("[", 20_000),
		"x:1:65: nests lists and mappings":                                strings.Repeat("{", 20_000),
		"x:1:129: nests lists and mappings more than 64":                  strings.Repeat("- ", 20_000),
		"more than 64 deep: not a config":                                 strings.Repeat("? ", 20_000),
		"k: unknown key":                                                  staircase(400),
		"holds more than one YAML document":                               minimal + "---\n" + minimal,
		"2:100009: holds or expands by aliases to more":                   flat,
		"x:2:2392: holds or expands by aliases to more than 50000 values": bomb,
	} {
		_, err := Parse("x", []byte(source))
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 8_000 {
			t.Errorf("%.30q: got %.300v, want %q", source, err, want)
		}
	}
}

// staircase returns n nested mappings.
func staircase(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "k:\n")
	}
	return b.String()
}

// A scalar is interpreted as by another YAML library, and its text is the file's. The table says where this package
// differs on purpose.
func TestScalarsAgreeWithAnotherLibrary(t *testing.T) {
	ours := map[string]kind{
		"2026-01-02": isString, // a date elsewhere
		"1__0":       isNumber,
	}
	for _, text := range []string{
		"make", "a b", "yes", "no", "on", "Off", "true", "True", "FALSE", "tRue", "null", "~", "Null", "nULL", `""`, `"~"`,
		"0", "-1", "+1", "14", "0644", "0o17", "0x1F", "0b101", "1_0", "1__0", "1.5", "-1.5", "1.", ".5", "1e3", "1E-3",
		"1.5e+3", ".inf", "-.INF", ".nan", "1.1.0", "1-2", "10s", "5%", "-x", "--flag", "-", "/bin/sh", "a:b", "a#b",
		"99999999999999999999", "18446744073709551616", `"14"`, `'true'`, `"a\tb\u00e9"`, "'it''s'", "2026-01-02", "0.87 USD",
		"é", "1:30", "<", "=", "12e03", "0x", "_1", "!!str 14", `!!str true`, "1e", "e1", "+", "+.5", "1_000.5",
	} {
		source := "k: " + text + "\n"
		var theirs yaml.Node
		if err := yaml.Unmarshal([]byte(source), &theirs); err != nil {
			continue
		}
		d := &decoder{file: "x"}
		root, ok := d.parse([]byte(source)).(*ast.MappingNode)
		if !ok || len(root.Values) != 1 {
			t.Errorf("%s: %v, %v", text, root, d.result())
			continue
		}
		got, ok := scalarOf(root.Values[0].Value)
		if !ok {
			t.Errorf("%s: not a scalar", text)
			continue
		}
		node := theirs.Content[0].Content[1]
		want, special := ours[text]
		if !special {
			want = map[string]kind{"!!int": isNumber, "!!float": isNumber, "!!bool": isBoolean, "!!null": isNull}[node.Tag]
		}
		if got.kind != want || got.text != node.Value {
			t.Errorf("%s: kind %d, text %q; the other library says %s and %q", text, got.kind, got.text, node.Tag, node.Value)
		}
	}
}

// Every style of writing a file gives the same values.
func TestStyles(t *testing.T) {
	want, err := Parse("x", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"carriage returns": strings.ReplaceAll(minimal, "\n", "\r\n"),
		"byte order mark":  "\ufeff" + minimal,
		"start mark":       "---\n" + minimal,
		"end mark":         minimal + "...\n",
		"comments":         "# a\n" + strings.ReplaceAll(minimal, "\n", " # b\n") + "# c\n",
		"directive":        "%YAML 1.2\n---\n" + minimal,
		"JSON": `{"version": 1, "build": {"command": ["make"], "artifacts": ["bin/prover"]}, "workloads": [{"name": "w",
			"session": ["{bin/prover}", "session"], "verify": ["{bin/prover}", "verify", "{proof}"]}]}`,
		"blocks": `version: 1
build:
  command:
  - make
  artifacts:
    - >-
      bin/prover
workloads:
- ? name
  : w
  session:
    - "{bin/prover}"
    - 'session'
  verify:
    - "{bin/prover}"
    - |-
      verify
    - "{proof}"
`,
	} {
		got, err := Parse("x", []byte(source))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range got.Workloads {
			got.Workloads[i].Line = want.Workloads[i].Line
		}
		if diff := cmp.Diff(want, got, compareFiles); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Lines and columns are those of an editor, also after wide characters and folded text.
func TestPositions(t *testing.T) {
	source := minimal + "    env: {A: \"éü\", B: 3}\n    statement: >\n      folded\n      text\n    timeout: 5\n"
	_, err := Parse("x", []byte(source))
	want := `x:7:23: workloads[0].env.B: must be a string, not the number 3: write "3"
x:8:16: workloads[0].statement: must be one line of text, not "folded text\n"
x:11:14: workloads[0].timeout: 5 has no unit: write 5s, 5m or 5h`
	if diff := cmp.Diff(want, errorText(err)); diff != "" {
		t.Error(diff)
	}
}
