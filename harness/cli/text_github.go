package cli

// The texts of the commands github, nightly, bisect, history and serve.

const (
	textGitHubShort = "answer /bench-gpu comments on pull requests"
	textGitHubLong  = `Answer /bench-gpu comments on pull requests; see docs/guide/github.md.

gate, fetch and publish run on hosted runners and hold the token. measure runs the code of the pull request and holds no
secret. init and doctor are for the maintainer. simulate runs all steps on this machine.`

	textGateShort = "decide on a comment and pin both revisions"
	textGateLong  = `Decide whether to answer a comment, pin both revisions, and write the plan. The job's outputs are
accepted, plan_hash, runs_on, timeout_minutes and cancel. If the comment names a base, it is resolved in the checkout
that contains bench.yaml, which must have the full history. The token (GITHUB_TOKEN) needs contents read, pull-requests
write and checks write.

Exit codes: 0 decided, even if there is nothing to run; 2 wrong usage; 3 a request to GitHub failed.`

	textFetchShort = "pack the two commits for the executor"
	textFetchLong  = `Pack the plan's two commits, their submodules and bench.yaml into a folder. Commits are fetched by
their pinned SHA. None of their code runs.`

	textMeasureShort = "compare the two commits of a bundle"
	textMeasureLong  = `Compare the two commits of a bundle. In every case, write OUT/result.json and OUT/run, the run's
folder. Builds, sessions and verifiers run under bubblewrap; if that does not work, nothing is unpacked or run, and the
result says what the host lacks. A regression, a failed proof or a failed build of head is a result, with exit code 0.`

	textPublishShort = "check the result and post the verdict"
	textPublishLong  = `Check the result against the plan and post the verdict. The command can be repeated without posting
twice. It waits, at most an hour, for a result that is listed late and for GitHub's rate limit; after that it posts
nothing and ends with exit code 3. The token (GITHUB_TOKEN) needs contents read, pull-requests write, checks write and
actions read.`

	textSimulateShort = "run all steps here and print what would be posted"
	textSimulateLong  = `Run gate, fetch, measure and publish on this machine, against a simulated GitHub that checks every
call, and print what would be posted. Repository, builds, proofs and verdict are real.

--trigger night runs the jobs of nightly.yml instead, and prints the line that the night adds to the history and whether
it opens an issue. It reads the history on the branch that nightly.history names, and changes nothing in the repository.
Without a history and --base, it is a first night, which measures the noise.

Exit codes: 0 all steps ran, whatever the verdict; 2 wrong usage; 3 a step failed.`

	textInitShort = "write the workflow and a first bench.yaml"
	textInitLong  = `Write .github/workflows/bench-gpu.yml and, if there is none, a first bench.yaml, into this
repository.`
	textInitNext = `Next: review both files, merge them to the default branch, register a runner with the labels of
github.runs_on, and run ` + "`harness github doctor`" + ` to see what is missing.`

	textDoctorShort = "check a repository's setup for safe runs"
	textDoctorLong  = `Check whether the repository would answer a comment, and safely: every workflow of the default
branch, the policy of actions, and the runners. Nothing is changed. All checks need a token with administration read.
Exit codes: 0 nothing is wrong; 3 something is.`
)

// The texts of nights and searches.
const (
	textNightlyShort = "compare today's revision with the last good one and an anchor"
	textNightlyLong  = `Compare today's revision of each workload with its last good revision and with an anchor
(nightly.baseline, else the first good revision), and add the night to the history. If today's revision is not shown to
be no slower, it is measured again with fresh seeds and twice the pairs, within the budget nightly.pairs. A control
chart over the nights finds steps and creep that no single night shows. A night without commits measures the noise.
docs/guide/nights.md describes the rule.

With --bisect 2h, or nightly.bisect in bench.yaml, a confirmed regression starts a search for its commit. If the time
runs out, or Ctrl-C stops the search, the next night continues it, and so does harness bisect with the same ends.

Exit codes: 0 no alarm is open; 1 an alarm is open; 2 wrong usage; 3 a workload could not be measured; 130 interrupted.`

	textAcceptShort = "accept a revision as the last good one"
	textAcceptLong  = `Accept a revision as the last good one and the anchor of the workloads (default: all workloads of
the night), close their open alarms, and record the reason. If bench.yaml names a baseline, nights compare with the
accepted revision instead, until bench.yaml names another baseline.`

	textBisectShort = "find the commit that made a workload slower"
	textBisectLong  = `Follow first parents from GOOD to BAD and find the first commit that is slower than GOOD by more
than half of their difference, by paired comparisons with GOOD. Commits that do not build are skipped. Every decision is
logged, and the same command continues from the log. The culprit is confirmed by a comparison with its parent.

Exit codes: 0 found; 2 wrong usage; 3 no difference, the budget is used up, or a measurement failed; 130 interrupted.`

	textHistoryShort = "show the trend of a nightly history"
	textHistoryLong  = `Show the trend of a nightly history, by workload. FILE, such as history.jsonl, stands for all
years: files such as history-2026.jsonl next to it are read, too. With --site, FILE is a folder of runs, and the pages
that harness serve shows are written as files, for a web host such as GitHub Pages.` + textExitPlain

	textServeShort = "show all runs below a folder in a browser"
	textServeLong  = `Serve web pages about all runs whose report.json lies below a folder (default: this one), to browsers
on this host: every workload and stage over commits or time, a table of all changes, selected runs side by side, and
each run's report. The folder is read again for each request. harness history FOLDER --site OUT writes the same pages as
files.` + textExitPlain
)
