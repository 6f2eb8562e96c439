package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes an executable that logs its arguments, takes a while and, given a
// second argument, writes metrics there.
func script(t *testing.T, log, prove string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prover")
	text := "#!/bin/sh\necho " + prove + " $1 $2 >>" + log + "\n[ -z \"$3\" ] || echo '{\"metrics\":{\"prove_seconds\":" + prove + "}}' >$3\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPairs(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	a, b := script(t, log, "1.5"), script(t, log, "3")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-pairs", "2", "-sizes", "5,6", a + " {size} {seed} {metrics}", b + " {size} {seed} {metrics}"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.Bytes())
	}
	ran, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if want := "3 5 0\n1.5 5 0\n1.5 5 1\n3 5 1\n3 5 2\n1.5 5 2\n3 6 0\n1.5 6 0\n1.5 6 1\n3 6 1\n3 6 2\n1.5 6 2\n"; string(ran) != want {
		t.Errorf("ran\n%swant\n%s", ran, want)
	}
	if got := stdout.String(); strings.Count(got, "prove_seconds                             1.5            3    0.500  0.500 to 0.500\n") != 2 ||
		strings.Count(got, "wall_seconds") != 2 || strings.Count(got, "processor_seconds") != 2 {
		t.Errorf("printed\n%s", got)
	}
}

func TestMistakes(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	a := script(t, log, "1")
	for name, tc := range map[string]struct {
		args []string
		code int
		want string
	}{
		"one command":     {[]string{"true"}, 2, "1 commands, want two"},
		"empty command":   {[]string{"true", " "}, 2, "a command is empty"},
		"no pairs":        {[]string{"-pairs", "0", "true", "true"}, 2, "-pairs is 0"},
		"a bad size":      {[]string{"-sizes", "1,x", "true", "true"}, 2, `-sizes: "x"`},
		"a failure":       {[]string{"true", "false"}, 1, "false: exit status 1"},
		"no such command": {[]string{"./missing", "true"}, 1, "./missing"},
		"no metrics":      {[]string{a, a + " 1 2 {metrics}x"}, 1, "metrics of"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(tc.args, &stdout, &stderr); code != tc.code || !strings.Contains(stderr.String(), tc.want) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", name, code, stderr.String(), tc.code, tc.want)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{5, 1, 3}); got != 3 {
		t.Errorf("median of three is %v", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("median of four is %v", got)
	}
}
