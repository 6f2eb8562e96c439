package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/cli"
)

// A session of drawn inputs proves shards while the program runs, cut as the previous run was, or by a number of
// cycles. If a run ends before the predicted cut, it is proven again.
func TestShardsOfDrawnInputs(t *testing.T) {
	folder := t.TempDir()
	elf := waits(t, folder)
	for _, tc := range []struct {
		flags []string
		seeds []int
		want  []string // for each seed: cycles, how often the run was executed again, and shards
	}{
		{[]string{"--shards", "2"}, []int{3, 2}, []string{"6380 0 2", "684 1 2"}},
		{[]string{"--shard-cycles", "3000"}, []int{3, 2}, []string{"6380 0 3", "684 1 2"}},
	} {
		var requests strings.Builder
		for _, seed := range tc.seeds {
			path := filepath.Join(folder, fmt.Sprint(seed))
			fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":%d,"proof":%q}`+"\n", seed, seed, path)
		}
		args := append([]string{"session", "--backend", "cpu", "--params", "test", "--elf", elf, "--size", "8"}, tc.flags...)
		backends := []cli.Backend{working("cpu")}
		code, stdout, stderr := run(t, requests.String(), backends, args...)
		if code != 0 {
			t.Fatal(stdout, stderr)
		}
		var got []string
		for line := range strings.Lines(stdout) {
			var reply struct {
				Event    string
				Counters map[string]uint64
			}
			if err := json.Unmarshal([]byte(line), &reply); err != nil {
				t.Fatal(err)
			}
			if reply.Event == "proof" {
				got = append(got, fmt.Sprint(reply.Counters["cycles"], reply.Counters["begun_again"], reply.Counters["shards"]))
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%v: %q, want %q", tc.flags, got, tc.want)
		}
		for _, seed := range tc.seeds {
			verify := []string{"verify", filepath.Join(folder, fmt.Sprint(seed)), "--elf", elf, "--min-bits", "0"}
			if code, _, stderr := run(t, "", backends, verify...); code != 0 {
				t.Errorf("%v, seed %d: %s", tc.flags, seed, stderr)
			}
		}
	}
}
