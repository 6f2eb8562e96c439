package cli

import "github.com/chiasmus/chiasmus/harness/adapter"

// The texts of harness run and of the flags that replace a bench.yaml.

const (
	textRunUse   = "run [flags] -- BASE... -- HEAD... [-- HEAD...]..."
	textRunShort = "compare any two commands, without a repository or bench.yaml"
	textRunLong  = `Compare any two commands, without a git repository or bench.yaml; nothing is built. Their processes run
in turn, in the order ABBA or BAAB, chosen at random by a seed. The same tests as for compare say whether the second
command is faster, slower, equivalent, or not yet known. Further commands are further heads: each is compared with the
first, and the chance of any false call among all of them stays the same.

The measured time is the wall time of each process, from start to end. Its output goes to a log. If a process fails, the
run ends with exit code 3 and shows the end of its output; if a failure is expected, let a shell ignore it (--shell
'grep -q x FILE || true'). The commands run without isolation, with all your permissions. Nothing checks that they do
the same work, so reports say "not verified".

Without --pairs, each command first runs once or twice, and then as many pairs are measured as fit in about 40 seconds,
6 to 60. Runs are stored in .chiasmus/runs of this folder (or of -C FOLDER), for harness report and harness resume.
Ctrl-C finishes the running process and writes a partial report.` + textExitCodes
	textRunExample = `  harness run -- ./old -- ./new
  harness run -- ./old -- ./new -- ./newest
  harness run --pairs 20 --input data.json -- jq .a -- gojq .a
  harness run --shell 'sort big.txt | uniq' 'sort -u big.txt'
  harness run --name-base 1.9 --name-head 2.0 -- ./prog-1.9 -x -- ./prog-2.0 -x
  harness run --adapter go-bench -- ./old.test -test.bench . -- \
    ./new.test -test.bench .`
	textRunPairs = "measure `N` pairs, an even number (default: what fits in about 40 s)"

	textFailOn = "also end with exit code 1 on this `VERDICT`: borderline, inconclusive, ... (repeat, or separate " +
		"with commas)"
)

// adapterNames returns the values of --adapter, for shell completion.
func adapterNames() []string {
	var names []string
	for _, kind := range adapter.Kinds() {
		names = append(names, string(kind))
	}
	return names
}
