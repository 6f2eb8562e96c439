package config

import (
	"strings"
	"testing"
)

// build.env_pass takes names of variables, and refuses anything else by its line.
func TestNamesOfVariables(t *testing.T) {
	const file = `version: 1
build:
  command: [make]
  artifacts: [prover]
  env_pass: [%]
workloads:
  - {name: a, process: ["{prover}", "{proof}"], verify: ["true", "{proof}"]}
`
	f, err := Parse("bench.yaml", []byte(strings.Replace(file, "%", "PROTOC, RISC0_*, _x", 1)))
	if err != nil || strings.Join(f.Build.EnvPass, " ") != "PROTOC RISC0_* _x" {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, wrong := range []string{`"*"`, `A*B`, `A=B`, `"A B"`, `1A`, `""`} {
		_, err := Parse("bench.yaml", []byte(strings.Replace(file, "%", wrong, 1)))
		if err == nil || !strings.Contains(err.Error(), "bench.yaml:5") ||
			!strings.Contains(err.Error(), "build.env_pass[0]") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
