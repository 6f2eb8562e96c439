package cli

import "github.com/chiasmus/chiasmus/harness/adapter"

// The texts of harness run, and of what stands for a bench.yaml.

const (
	textRunUse   = "run [flags] -- BASE... -- HEAD... [-- HEAD...]..."
	textRunShort = "compare any two commands, without a repository or bench.yaml"
	textRunLong  = `Compare any two commands: their processes take turns in the order ABBA or
BAAB, which a seed draws, and the same tests as for compare say whether the
second is faster, slower, the same, or not yet known. Further commands are
further heads: each is compared with the first, and the chance of any false
call among them stays that of one. There need be no git repository and no
bench.yaml, and nothing is built.

What counts is the wall time of each process, from its start to its end. What
it writes goes to a log. A process that fails ends the run with exit code 3
and the end of what it wrote: where failing is right, say so to a shell
(--shell 'grep -q x FILE || true'). The commands run without isolation, with
all your rights: run only what you trust, as you would from your shell.
Nothing checks that they do the same work: reports say "not verified".

Without --pairs each command is run once or twice first, and as many pairs
are measured as take about 40 seconds: 6 to 60. A run is kept in
.chiasmus/runs of this folder (or of -C FOLDER), for harness report and
harness resume. Ctrl-C finishes the running process and writes a partial
report.` + textExitCodes
	textRunExample = `  harness run -- ./old -- ./new
  harness run -- ./old -- ./new -- ./newest
  harness run --pairs 20 --input data.json -- jq .a -- gojq .a
  harness run --shell 'sort big.txt | uniq' 'sort -u big.txt'
  harness run --name-base 1.9 --name-head 2.0 -- ./prog-1.9 -x -- ./prog-2.0 -x
  harness run --adapter go-bench -- ./old.test -test.bench . -- \
    ./new.test -test.bench .`
	textRunPairs = "measure `N` pairs, an even number (default: as many as take about 40 s)"

	textFailOn = "end with exit code 1 on each `VERDICT` of these too: borderline, inconclusive, ... (repeat, or list " +
		"with commas)"
)

// adapterNames are the tools whose suites can be read, for a shell's completion.
func adapterNames() []string {
	var names []string
	for _, kind := range adapter.Kinds() {
		names = append(names, string(kind))
	}
	return names
}
