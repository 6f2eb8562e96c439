package cli

// The texts of the commands for GitHub and for nights.

const (
	textGitHubShort = "answer /bench-gpu comments on pull requests"
	textGitHubLong  = `Answer /bench-gpu comments on pull requests. docs/guide/github.md walks through it.

gate, fetch and publish run on hosted runners and hold the token; measure runs the code of the pull request and holds
nothing. init and doctor are for the maintainer, simulate runs all steps on this machine.`

	textGateShort = "decide on a comment and pin both revisions"
	textGateLong  = `Decide on a comment, pin both revisions, and write the plan. The job's outputs are accepted,
plan_hash, runs_on, timeout_minutes and cancel. A base that the comment names is looked for in the checkout that holds
bench.yaml, which must have its whole history. The token (GITHUB_TOKEN) needs contents read, pull-requests write and
checks write.

Exit codes: 0 decided, also where there is no run; 2 wrong usage; 3 GitHub could not be asked.`

	textFetchShort = "pack the two commits for the executor"
	textFetchLong  = `Pack the plan's two commits, their submodules and bench.yaml into a folder. Commits are fetched by
their pinned SHA; nothing of them is run.`

	textMeasureShort = "compare the two commits of a bundle"
	textMeasureLong  = `Compare the two commits of a bundle and write OUT/result.json, whatever happens, and OUT/run, the
run's folder. Builds, sessions and verifiers run under bubblewrap; where it does not work, nothing is unpacked or run,
and the result says what the host lacks. A regression, a proof that fails or a head that does not build is a result: the
exit code is 0 then.`

	textPublishShort = "check the result and post the verdict"
	textPublishLong  = `Check the result against the plan and post the verdict. It can be repeated: nothing is posted
twice. A result that is listed late and GitHub's limit of calls are waited for, an hour at most; after that nothing is
posted, and the exit code is 3. The token (GITHUB_TOKEN) needs contents read, pull-requests write, checks write and
actions read.`

	textSimulateShort = "run all steps here and print what would be posted"
	textSimulateLong  = `Run gate, fetch, measure and publish on this machine, against a GitHub on its loopback that checks
every call, and print what would be posted. Repository, builds, proofs and verdict are real.

--trigger night runs the jobs of nightly.yml instead, and prints the line that the night adds to the history and whether
it opens an issue. It reads the history on the branch that nightly.history names, and changes nothing in the repository.
Without a history and --base, it is a first night, which measures the noise.

Exit codes: 0 all steps ran, whatever the verdict; 2 wrong usage; 3 a step failed.`

	textInitShort = "write the workflow and a first bench.yaml"
	textInitLong  = `Write .github/workflows/bench-gpu.yml and, where there is none, a first bench.yaml, into this repository.`
	textInitNext  = `Next: read both, merge them to the default branch, register a runner with the labels of
github.runs_on, and ask ` + "`harness github doctor`" + ` what is missing.`

	textDoctorShort = "say what a repository lacks for safe runs"
	textDoctorLong  = `Ask the repository whether a comment would get its verdict, and safely: every workflow of the
default branch, the policy of actions and the runners are looked at. Nothing is changed. A token with administration
read answers everything. Exit codes: 0 nothing is wrong; 3 something is.`
)

// The texts of nights and searches.
const (
	textNightlyShort = "compare today's revision with the last good one and an anchor"
	textNightlyLong  = `Compare each workload's last good revision with today's, and an anchor that stays
(nightly.baseline, else the first good revision) with today's, and add the night to the history. What does not show that
today's is no slower is measured again with fresh seeds and twice the pairs, within nightly.pairs. A chart over the
nights finds steps and creep that no single night shows. A night without commits measures the noise. docs/guide/nights.md has
the rule.

With --bisect 2h, or nightly.bisect in bench.yaml, a confirmed regression starts a search for its commit. Where the time
is used up, or Ctrl-C stops it, the next night goes on, and so does harness bisect with the same ends.

Exit codes: 0 no alarm is open; 1 one is; 2 wrong usage; 3 a workload could not be measured; 130 interrupted.`

	textAcceptShort = "make a revision the last good one"
	textAcceptLong  = `Make a revision the last good one and the anchor of the workloads (all of the night, unless named),
end their open alarms, and record why. Where bench.yaml names a baseline, nights compare with the accepted revision in
its place, until it names another.`

	textBisectShort = "find the commit that made a workload slower"
	textBisectLong  = `Follow first parents from GOOD to BAD and find the first commit that is slower by more than half of
their difference, by paired comparisons with GOOD. What does not build is skipped. Every decision is logged: the same
command goes on from the log. The culprit is confirmed against its parent.

Exit codes: 0 found; 2 wrong usage; 3 no difference, the budget is used up, or a measurement failed; 130 interrupted.`

	textHistoryShort = "show the trend of a nightly history"
	textHistoryLong  = `Show the trend of a nightly history, workload by workload. FILE names all years: history.jsonl is
followed by history-2026.jsonl and its like beside it. With --site, FILE is a folder, and the pages that harness serve
shows over the runs below it are written as files, for a web host such as GitHub Pages.` + textExitPlain

	textServeShort = "show all runs below a folder in a browser"
	textServeLong  = `Serve pages over all runs whose report.json lies below a folder, this one by default, to browsers of
this host: every workload and stage over commits or time, a table of all changes, chosen runs side by side, and each
run's report. The folder is read again for each request. harness history FOLDER --site OUT writes the same pages as
files.` + textExitPlain
)
