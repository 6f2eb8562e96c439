package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sorting = `version: 1
build: {command: [make], artifacts: [bin/sort]}
workloads:
  - name: sort
    matrix:
      size: [1024, "4096"]
      backend: [cpu, gpu/0]
      exclude: [{size: 4096, backend: cpu}]
      include: [{backend: tpu, size: 7}]
    session: ["{bin/sort}", "--size={size}", "--on={matrix.backend}", "{{size}}"]
    verify: ["{bin/sort}", check, "{proof}", "{size}"]
    env: {SIZE: "{size}:{matrix.size}", OTHER: "{left}"}
    statement: sorted-{size}
    units: {count: "{size}", name: keys}
  - {name: plain, session: ["{bin/sort}"], verify: ["{bin/sort}", "{proof}"], env: {A: "{size}"}, default: false}
`

func TestMatrix(t *testing.T) {
	f, err := Parse("x", []byte(sorting))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"sort.size-1024.backend-cpu", "sort.size-1024.backend-gpu_0", "sort.size-4096.backend-gpu_0",
		"sort.size-7.backend-tpu", "plain"}
	if diff := cmp.Diff(want, f.Names()); diff != "" {
		t.Fatal(diff)
	}
	w, _ := f.Workload("sort.size-1024.backend-gpu_0")
	if diff := cmp.Diff([]Parameter{{"size", "1024"}, {"backend", "gpu/0"}}, w.Parameters); diff != "" || w.Line != 4 ||
		w.Declared != "sort" {
		t.Errorf("%+v: %s", w, diff)
	}
	argv, err := w.Session.Expand(Values{Artifacts: map[string]string{"bin/sort": "/s"}})
	if diff := cmp.Diff([]string{"/s", "--size=1024", "--on=gpu/0", "{size}"}, argv); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	argv, err = w.Verify.Expand(Values{Artifacts: map[string]string{"bin/sort": "/s"}, Proof: "/p"})
	if diff := cmp.Diff([]string{"/s", "check", "/p", "1024"}, argv); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if w.Env["SIZE"] != "1024:1024" || w.Env["OTHER"] != "{left}" || w.Statement != "sorted-1024" ||
		w.Units.Count != 1024 {
		t.Errorf("%v %s %+v", w.Env, w.Statement, w.Units)
	}
	if plain, _ := f.Workload("plain"); plain.Env["A"] != "{size}" || plain.Parameters != nil || plain.Declared != "" {
		t.Errorf("a workload without a matrix has %+v", plain)
	}
}

func TestSelect(t *testing.T) {
	f, err := Parse("x", []byte(sorting))
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"sort":                       "0 1 2 3",
		"plain":                      "4",
		"sort.size-7.backend-tpu":    "3",
		"sort.size-1024.*":           "0 1",
		"*gpu_?":                     "1 2",
		"*":                          "0 1 2 3 4",
		"sor":                        "",
		"sort.size":                  "",
		"sort.size-1024.backend-[c]": "",
		"*[":                         "",
	} {
		var got []string
		for _, name := range f.Select(pattern) {
			for i, known := range f.Names() {
				if name == known {
					got = append(got, fmt.Sprint(i))
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s selects %v, want %s", pattern, got, want)
		}
	}
	names, err := f.SelectAll([]string{"plain", "sort.size-4096.*", "sort.size-4*"})
	if diff := cmp.Diff([]string{"sort.size-4096.backend-gpu_0", "plain"}, names); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if _, err := f.SelectAll([]string{"plain", "sorts"}); !strings.Contains(errorText(err), `no workload "sorts"`) {
		t.Errorf("got %v", err)
	}
}

func TestMatrixErrors(t *testing.T) {
	// An error of the workload itself is reported once, not for each combination.
	const source = `version: 1
build: {command: [make], artifacts: [p, depth]}
workloads:
  - {name: w, session: ["{p}"], verify: ["{p}", "{proof}", "{sise}"], timeout: 5, matrix: MATRIX}
`
	own := []string{
		"{sise} is not an artifact of the build: build.artifacts has p, depth; the matrix has size", "5 has no unit",
	}
	many := "[" + strings.TrimSuffix(strings.Repeat("%d,", 70), ",") + "]"
	var numbers []any
	for i := range 70 {
		numbers = append(numbers, i)
	}
	for matrix, want := range map[string][]string{
		`{size: [1, 2, 3]}`:                  own,
		`[1]`:                                {"matrix: must be a mapping"},
		`{}`:                                 {"must name at least one parameter"},
		`{size: 3}`:                          {"workloads[0].matrix.size: must be a list"},
		`{size: []}`:                         {"must hold at least one value"},
		`{size: [1, 1]}`:                     {`"1" is listed twice`},
		`{size: [[1], ~, ""]}`:               {"size[0]: must be a string, a number", "size[1]: must be", "one line"},
		`{Size: [1]}`:                        {"lower-case letters"},
		`{proof: [1], depth: [2]}`:           {"{proof} is a placeholder already", "{depth} is an artifact"},
		`{size: [1], size: [2]}`:             {"given twice"},
		`{size: [1], exclude: [{size: 2}]}`:  {"excludes nothing: size has the values 1"},
		`{size: [1], exclude: [{sizes: 1}]}`: {"not a parameter of the matrix: did you mean size?"},
		`{size: [1], exclude: [{}]}`:         {"exclude[0]: must name at least one"},
		`{size: [1], exclude: [{size: 1}]}`:  {"excludes every combination"},
		`{size: [1], on: [a], include: [{size: 1}]}`:    {"include[0].on: missing"},
		`{size: [a b, a+b]}`:                            {},
		"{size: " + fmt.Sprintf(many, numbers...) + "}": {"more than 64 combinations"},
		`{size: [` + strings.Repeat("a", 64) + `]}`:     {},
	} {
		_, err := Parse("x", []byte(strings.ReplaceAll(source, "MATRIX", matrix)))
		for _, part := range want {
			if strings.Count(errorText(err), part) != 1 {
				t.Errorf("%s: got %v, want once %q", matrix, err, part)
			}
		}
	}
	for matrix, want := range map[string]string{
		`{size: [a b, a+b]}`:                        `"w.size-a_b" is already the name of the workload on line 4`,
		`{size: [` + strings.Repeat("a", 64) + `]}`: "has more than 64 characters: shorten",
	} {
		good := strings.NewReplacer("MATRIX", matrix, `, "{sise}"`, "", "timeout: 5, ", "").Replace(source)
		if _, err := Parse("x", []byte(good)); strings.Count(errorText(err), want) != 1 {
			t.Errorf("%s: got %v, want %q", matrix, err, want)
		}
	}
}
