package cli

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
)

func TestSelectOne(t *testing.T) {
	file, err := config.Parse("bench.yaml", []byte(`version: 1
build: {command: [make], artifacts: [p]}
workloads:
  - {name: sort, matrix: {size: [1, 2]}, session: ["{p}", "{size}"], verify: ["{p}", "{proof}"]}
  - {name: plain, session: ["{p}"], verify: ["{p}", "{proof}"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"plain": "plain", "sort.size-2": "sort.size-2", "*-1": "sort.size-1",
		"sort":  "matches 2 workloads: choose one of sort.size-1, sort.size-2",
		"other": `no workload "other"`,
	} {
		got, err := selectOne(file, name)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
