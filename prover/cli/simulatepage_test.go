package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/shard/simulate"
)

// simulation is 10^9 cycles on the given numbers of devices, with the flags' defaults.
func simulation(devices ...int) simulateFlags {
	return simulateFlags{cycles: 1e9, perHost: 8, perDevice: 1, most: 1 << 26, devices: devices}
}

// totals returns the predicted times in ms, with a guest's times after edit.
func totals(t *testing.T, guest string, edit func(*simulate.Times), devices ...int) (list []any) {
	t.Helper()
	times, flags := simulate.Measured[guest], simulation(devices...)
	edit(&times)
	for _, count := range devices {
		fleet := simulate.Fleet{Devices: count, PerHost: flags.perHost, Shards: flags.shards(count)}
		outcome, err := simulate.Prove(times, fleet, float64(flags.cycles))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, milliseconds(outcome.Total))
	}
	return list
}

// milliseconds formats a time as the pages do.
func milliseconds(seconds float64) string {
	whole := int(1000*seconds + 0.5)
	if whole < 1000 {
		return fmt.Sprint(whole)
	}
	return fmt.Sprintf("%d,%03d", whole/1000, whole%1000)
}

// simulatedTable returns the rows of the table in docs/lab/simulated.md, one for each number of devices.
func simulatedTable(t *testing.T) (rows []string) {
	t.Helper()
	times := simulate.Measured["sha256"]
	goesOn := times
	goesOn.Carried = true
	flags := simulation(1, 2, 4, 8, 16, 32, 64)
	unevenly := flags
	unevenly.uneven = true
	lines, err := flags.lines(times)
	uneven, unevenErr := unevenly.lines(times)
	carried, carriedErr := flags.lines(goesOn)
	if err != nil || unevenErr != nil || carriedErr != nil {
		t.Fatal(err, unevenErr, carriedErr)
	}
	for i, l := range lines {
		cells := []string{fmt.Sprint(l.Devices), fmt.Sprint(l.Shards), milliseconds(l.Total), fmt.Sprintf("%.1f", l.SpeedUp)}
		for _, part := range []float64{l.Run, l.Records, l.Phase1, l.Phase2, l.Return, l.Verify, l.Write} {
			cells = append(cells, milliseconds(part))
		}
		sent, least := "0", "-"
		if l.Sent > 0 {
			sent = fmt.Sprintf("%.2f and %.2f bytes a cycle", l.Sent/1e9, l.Received/1e9)
		}
		if l.LeastShard > 0 {
			least = fmt.Sprintf("%.2g M", l.LeastShard/1e6)
		}
		cells = append(cells, fmt.Sprintf("%.0f %%", 100*l.Busy), sent, least,
			milliseconds(uneven[i].Total), milliseconds(carried[i].Total))
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	return rows
}

// simulatedSentences returns the phrases of the pages that quote the simulation.
func simulatedSentences(t *testing.T) []string {
	t.Helper()
	onePart := func(times *simulate.Times) { times.Parts, times.RunRate = 1, 1364e6 }
	noReplay := func(times *simulate.Times) { times.Replay = 0 }
	unverified := func(times *simulate.Times) { times.Verify = 0 }
	everywhere := func(times *simulate.Times) { times.Everywhere = true }
	late := func(times *simulate.Times) { times.Overlap = false }
	cut := func(times *simulate.Times) { times.CutRate = 700e6 }
	alone := func(times *simulate.Times) { times.RunRate, times.AheadRate = 505e6, 7040e6 }
	cores := func(times *simulate.Times) { times.Cores = 64 }
	as := func(*simulate.Times) {}
	all := func(edits ...func(*simulate.Times)) func(*simulate.Times) {
		return func(times *simulate.Times) {
			for _, edit := range edits {
				edit(times)
			}
		}
	}
	var list []string
	for _, sentence := range []struct {
		format  string
		guest   string
		edit    func(*simulate.Times)
		devices []int
	}{
		{"with no replay at all %s, %s, %s and %s on 1, 2, 4 and 8", "sha256", noReplay, []int{1, 2, 4, 8}},
		{"for all of it gives %s, %s, %s and %s on 8, 16, 32 and 64", "sha256", onePart, []int{8, 16, 32, 64}},
		{"run on every host %s, %s and %s on 16, 32 and 64", "sha256", all(onePart, everywhere), []int{16, 32, 64}},
		{"are sent no records: %s, %s and %s ms on 16, 32 and 64", "sha256", everywhere, []int{16, 32, 64}},
		{"with no device beside them, give %s, %s and %s on 8, 16 and 32", "sha256", alone, []int{8, 16, 32}},
		{"with 64 cores it is %s and %s ms on 32 and 64", "sha256", cores, []int{32, 64}},
		{"without verifying %s, %s and %s on 16, 32 and 64", "sha256", unverified, []int{16, 32, 64}},
		{"who verifies) %s, %s, %s and %s ms on 8, 16, 32 and 64", "sha256", all(noReplay, everywhere, unverified),
			[]int{8, 16, 32, 64}},
		{"`fib` takes %s ms on one, %s on eight, %s on 32", "fib", as, []int{1, 8, 32}},
		{"has ended) `sha256` takes %s ms on one, %s on eight and %s on 16", "sha256", late, []int{1, 8, 16}},
		{"700 million cycles a second, it is %s and %s on 16 and 32", "sha256", cut, []int{16, 32}},
		{"and %s and %s with the run on every host", "sha256", all(cut, everywhere), []int{16, 32}},
		{"`verify_seconds_per_shard` 0: %s ms in place of", "sha256", unverified, []int{64}},
		{"in place of %s on 64), and it is not", "sha256", as, []int{64}},
		{"simulate` says %s ms for what takes", "sha256", as, []int{16}},
		{"for what takes %s without sending", "sha256", everywhere, []int{16}},
		{"without sending, and %s with `--overlap=false`", "sha256", late, []int{16}},
	} {
		list = append(list, fmt.Sprintf(sentence.format, totals(t, sentence.guest, sentence.edit, sentence.devices...)...))
	}
	return list
}

// The pages agree with the simulation: each row of the table, and each number in the text.
func TestPagesOfSimulation(t *testing.T) {
	var words []string
	for _, name := range []string{"lab/simulated.md", "guide/cluster.md"} {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, strings.Fields(string(text))...)
	}
	pages := strings.Join(words, " ")
	for _, want := range append(simulatedTable(t), simulatedSentences(t)...) {
		if !strings.Contains(pages, want) {
			t.Errorf("docs/lab/simulated.md and docs/guide/cluster.md lack:\n%s", want)
		}
	}
}
