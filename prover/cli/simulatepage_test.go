package cli

import (
	"fmt"
	"os"
	"slices"
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

// assumptions are changes to the measured times.
var assumptions = map[string]func(*simulate.Times){
	"one part":   func(times *simulate.Times) { times.Parts, times.RunRate = 1, 1364e6 },
	"no replay":  func(times *simulate.Times) { times.Replay = 0 },
	"unverified": func(times *simulate.Times) { times.Verify = 0 },
	"everywhere": func(times *simulate.Times) { times.Everywhere = true },
	"late":       func(times *simulate.Times) { times.Overlap = false },
	"cut first":  func(times *simulate.Times) { times.CutRate = 700e6 },
	"quiet host": func(times *simulate.Times) { times.RunRate, times.AheadRate = 505e6, 7040e6 },
	"64 cores":   func(times *simulate.Times) { times.Cores = 64 },
}

// assuming applies assumptions.
func assuming(names ...string) func(*simulate.Times) {
	return func(times *simulate.Times) {
		for _, name := range names {
			assumptions[name](times)
		}
	}
}

// simulatedVariants returns the rows of the page's second table, which change assumptions.
func simulatedVariants(t *testing.T) (rows []string) {
	t.Helper()
	for _, row := range []struct {
		name, guest string
		edit        func(*simulate.Times)
	}{
		{"as above", "sha256", assuming()},
		{"no replay", "sha256", assuming("no replay")},
		{"every host runs the program", "sha256", assuming("everywhere")},
		{"the run in one part", "sha256", assuming("one part")},
		{"the run in one part, on every host", "sha256", assuming("one part", "everywhere")},
		{"the run as fast as without devices", "sha256", assuming("quiet host")},
		{"64 cores verify", "sha256", assuming("64 cores")},
		{"no verifying", "sha256", assuming("unverified")},
		{"no replay, no verifying, the run on every host", "sha256", assuming("no replay", "unverified", "everywhere")},
		{"no overlap", "sha256", assuming("late")},
		{"unknown cuts", "sha256", assuming("cut first")},
		{"unknown cuts, the run on every host", "sha256", assuming("cut first", "everywhere")},
		{"`fib`", "fib", assuming()},
	} {
		cells := append([]any{row.name}, totals(t, row.guest, row.edit, 1, 2, 4, 8, 16, 32, 64)...)
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", cells...))
	}
	return rows
}

// simulatedSentences returns the phrases of docs/guide/cluster.md that quote the simulation.
func simulatedSentences(t *testing.T) (list []string) {
	t.Helper()
	for _, sentence := range []struct {
		format  string
		edit    func(*simulate.Times)
		devices []int
	}{
		{"`verify_seconds_per_shard` 0: %s ms in place of", assuming("unverified"), []int{64}},
		{"in place of %s on 64), and it is not", assuming(), []int{64}},
		{"simulate` says %s ms for what takes", assuming(), []int{16}},
		{"for what takes %s without sending", assuming("everywhere"), []int{16}},
		{"without sending, and %s with `--overlap=false`", assuming("late"), []int{16}},
	} {
		list = append(list, fmt.Sprintf(sentence.format, totals(t, "sha256", sentence.edit, sentence.devices...)...))
	}
	return list
}

// The pages agree with the simulation: each row of the tables, and each number in the text.
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
	for _, want := range slices.Concat(simulatedTable(t), simulatedVariants(t), simulatedSentences(t)) {
		if !strings.Contains(pages, want) {
			t.Errorf("docs/lab/simulated.md and docs/guide/cluster.md lack:\n%s", want)
		}
	}
}
