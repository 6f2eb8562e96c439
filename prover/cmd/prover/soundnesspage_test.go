package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/cli"
)

// docs/spec/soundness.md states the bits of proofs by each theorem: prover params must compute the same.
func TestBitsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/spec/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)`, (keccak|rv64im) ([0-9,]+)[a-z ]* "+
		"\\| ([0-9.]+) \\| ([0-9.]+) \\| ([0-9.]+) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 6 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		size := map[string]string{"keccak": "--size", "rv64im": "--cycles"}[row[2]]
		args := []string{"params", "--params", row[1], "--machine", row[2], size, strings.ReplaceAll(row[3], ",", "")}
		var out bytes.Buffer
		if code := cli.Main(args, nil, &out, &out, nil); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, out.String())
		}
		for k, regime := range []string{"Johnson", "Johnson, bound of 2020", "unique decoding"} {
			if want := "\n  " + regime + ": " + row[4+k] + " bits"; !strings.Contains(out.String(), want) {
				t.Errorf("%q lacks %q", args, want)
			}
		}
	}
}
