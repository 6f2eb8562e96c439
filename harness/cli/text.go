package cli

import (
	"strings"
)

// textFormat describes the flag of a command that prints a report.
func textFormat() string {
	return "print the report as `FORMAT`: " + strings.Join(formatNames(), ", ") +
		" (csv: the pairs of one workload, or with --brief a row for each)"
}

const textBrief = "print the answer only: the verdict and the table of workloads"

// The texts of the program. Exit codes are those of package harness.

const (
	textShort = "compare two revisions of a prover"

	textLong = `harness builds two revisions of a prover, runs interleaved A/B/B/A proofs, verifies every proof, and says
with paired statistics whether head is faster, slower, the same, or not yet known. What is measured is written in
bench.yaml.`

	textExitCodes = `

Exit codes:
  0    no regression
  1    regression, or a verdict that --fail-on names
  2    wrong usage or configuration, an unknown revision included
  3    a build, session, proof, expectation or verification failed
  4    the environment is unfit
  130  interrupted
Where several hold, the first of 130, 2, 3, 4, 1, 0 counts.`

	textExitPlain = `

Exit codes:
  0    done, whatever the verdict
  2    wrong usage, or no such run or file
  3    a file could not be written`

	textFirstShort = "write a first bench.yaml for the project in this folder"

	textFirstLong = `Writes bench.yaml by the build files of a project: Cargo (a package or a
workspace), Go, CMake, a Makefile, or Python. The programs that they build
become workloads, run without arguments and timed from start to end. Where
there are benchmarks of Go, Criterion or pytest-benchmark, these are compared.

NAME chooses a program, an example or benchmarks, as --list names them; what
follows -- is added to the command line of the chosen one. Without a NAME the
file has at most three programs and three suites, those first that are named
like what proves.

A bench.yaml that is there stays as it is. For pull requests on GitHub,
` + "`harness github init`" + ` writes the workflow, too.

Exit codes:
  0    written
  2    there is a bench.yaml, nothing here has the NAME, the folder cannot be
       read or written, or a build file in it is invalid`

	textFirstExample = `  harness init
  harness init bench_recursion -- --size 12
  harness init backend/groth16 -- -test.bench=Prover`

	textFirstNext = "Next: harness compare %s, or any two revisions of this repository.\n"

	textDirectory = "run as if started in `FOLDER`"
	textLock      = "`FILE` that lets one measurement run on this host at a time (default: the user's, with a " +
		"name for the machine that keeps other users away)"
	textConfig    = "the bench.yaml that counts is `FILE` (default: the bench.yaml in this folder)"
	textNoWait    = "fail with exit code 4 where another measurement runs on this host, instead of waiting for it"
	textBaselines = "keep baselines of both revisions for pre-checks in `FOLDER`, and read them there (default: " +
		"of base, in the user's cache folder)"
	textRequireQuiet = "wait until the host is quiet, for at most environment.quiet_timeout (10m by default), then give " +
		"up with exit code 4"

	textCompareUse   = "compare BASE..HEAD | --base BASE HEAD..."
	textCompareShort = "measure head against base and give a verdict"
	textCompareLong  = `Measure head against base and give a verdict.

  base..head    head against base
  base...head   head against its merge base with base
  head          head against HEAD, which it has to contain
  HEAD..        HEAD, or with --dirty the work tree, against HEAD

With --base, any number of heads up to 8 are compared with one base: each block runs base and all heads in an order that
the seed draws, and then backwards. The chance of any false call among all heads stays at plan.alpha.

One revision against itself is an A/A run, or with --base-env and --head-env a comparison of two builds. Ctrl-C finishes
the running proof and writes a partial report; a second Ctrl-C kills. harness resume goes on with it. The run is kept in
.chiasmus/runs of this folder: report.json, report.md, report.html, the journal, logs, and each workload's pairs.csv.` +
		textExitCodes
	textCompareExample = `  harness compare main..HEAD
  harness compare HEAD~1.. --workload keccak-16k --pairs 20
  harness compare HEAD..HEAD --head-env GOAMD64=v4
  harness compare --base main fast small table
  harness compare main..HEAD --profile
  harness compare main.. --dry-run`

	textResumeUse   = "resume RUN"
	textResumeShort = "go on with a run that was interrupted or killed"
	textResumeLong  = `Go on with a run that was interrupted or killed, from its journal. RUN is its ID, the beginning of
it, its folder, or last. The same revisions, artifacts, inputs, host and seed are needed; otherwise resume refuses and
says what changed. A run that ended is not gone on with: neither one with a verdict, nor one with a failure, unless that
was the host's (busy, not quiet, a full disk). One that was killed while its reports were written gets them.` +
		textExitCodes

	textJoinUse   = "join [NAME=]RESULT..."
	textJoinShort = "make one report of what several hosts measured"
	textJoinLong  = `Make one report of what several hosts measured of the same two revisions by the same bench.yaml and
plan, each with builds, processes and an order of proofs of its own. RESULT is the folder of a run, its report.json, or
the result.json of a GitHub job; NAME names its host in the report (default: the name in the result).

Everything is computed again from the pairs by this folder's bench.yaml, and a result that claims something else is
refused. Hosts are what the tests count. A host that did not finish makes the report partial, without a verdict: take
its run up (harness resume) and join again, or leave it out for good with --without.` + textExitCodes
	textJoinExample = `  harness join results/*/report.json
  harness join a=bench-a/run b=bench-b/run --format markdown --out joined`

	textHosts = "measure on several hosts at once, on each the whole plan: `HOSTS` is all, how many, or agents' labels " +
		"with commas (with --nats)"

	textFleetShort = "compare on several hosts through a NATS server"
	textFleetLong  = `Compare on several hosts at once through a NATS server: each measures the whole plan with builds,
processes and an order of proofs of its own, and one report is made of their results, whose tests count hosts.

  once, somewhere, which prints where the credentials are:
    harness fleet serve --store DIR --label bench-1 --label bench-2 ...
  on each host:
    harness fleet agent --nats URL --credential bench-1.nk --label bench-1
  at your desk:
    harness compare main..HEAD --nats URL --credential desk.nk --hosts all`
	textFleetServeShort = "run the server"
	textFleetServeLong  = `Run a NATS server with JetStream, with a folder for all that it keeps. On the first start it
makes a credential for the coordinator and one for each label, in the folder credentials; harness fleet credential makes
more, and removes them, while the server runs. A label may write only its own card and messages. The coordinator's
credential signs orders; agents refuse any other. Without --tls-cert and --tls-key nothing is encrypted: then listen on
an address of a network that you trust.

The server is the program harness-fleet-server, which each release has and make build makes: this command starts it from
the folder that harness is in, or from PATH.`
	textFleetCredentialShort = "make, list and remove the credentials of the server"
	textFleetCredentialLong  = `Make, list and remove credentials in the folder of harness fleet serve, while it runs or before. An
agent or coordinator whose credential was removed loses its connection within a few seconds.

add writes FOLDER/credentials/NAME.nk, which is to be moved to its holder's host at mode 600, and NAME.pub, which the
server needs. An agent's has the public key whose orders it takes, a coordinator's the key that signs them: the key is
the same for all of a folder, so that a coordinator which is added later needs nothing of the agents.`
	textFleetAgentShort = "take orders on this host"
	textFleetAgentLong  = `Take orders on this host: build and measure what coordinators ask for, one order at a time, under
bubblewrap unless --without-isolation is given. Whoever has the coordinator's credential runs code here.
A run that was cut off goes on when the agent is started again. Ctrl-C finishes the running proof.`
	textFleetListShort   = "list the agents that are there"
	textFleetCancelShort = "end a job: its hosts stop after the running proof"
	textFleetFollowShort = "go on waiting for the hosts of a job, and report"
	textFleetFollowLong  = `Go on waiting for the hosts of a comparison with --hosts that was left, or that a host did not
finish, and report. JOB is its name, as compare printed it.` + textExitCodes

	textRunArgument = "RUN: its ID, the beginning of it, its folder, or last"

	textReportUse   = "report RUN"
	textReportShort = "show the report of a run again"
	textReportLong  = `Show the report of a run again, in any format. RUN is its ID, the beginning of it, its folder, or last.` + textExitPlain

	textRunsShort = "list the runs of this folder"
	textRunsLong  = `List the runs of this folder, oldest first.` + textExitPlain

	textGCShort = "show what runs and builds take, and delete it"
	textGCLong  = `Show what the runs and builds of this folder take on the disk and what would be deleted: with --yes it
is. Kept are the newest runs, builds that were used lately, what a run or a measurement still uses, and every noise
profile. Runs are in .chiasmus/runs, builds in the user's cache folder (chiasmus/builds in XDG_CACHE_HOME or ~/.cache);
those of folders that are no longer there are listed too. So are processes that a run left behind whose harness was
killed: with --yes they are ended.` + textExitPlain

	textStatsUse   = "stats FILE [FILE]"
	textStatsShort = "compute the statistics of any pairs, or of other tools' times"
	textStatsLong  = `Compute the statistics of pairs in a CSV file with a header: the columns a and b, or those that --a
and --b name; pair, block and order (AB or BA) are used when present. A file named - is standard input.

Values that another tool measured are read too: hyperfine's (--export-json), Criterion's
(target/criterion/NAME/base/sample.json and .../new/sample.json) and the output of go test -bench: two results of one
file, or of two files those of one name. Such values are no pairs. They are compared by Welch's t test and by Mann and
Whitney's, Holm-adjusted where there are several, and at most the result is that they differ: nothing tells a
difference from what drifted between two series that were not interleaved.` + textExitPlain
	textStatsExample = `  harness stats .chiasmus/runs/RUN/keccak/pairs.csv
  harness stats times.csv --a old_seconds --b new_seconds
  hyperfine --export-json t.json ./old ./new; harness stats t.json
  go test -bench . -count 10 >new.txt; harness stats old.txt new.txt`

	textCalibrateUse   = "calibrate [REVISION] --workload NAME"
	textCalibrateShort = "measure the noise of this host"
	textCalibrateLong  = `Measure a revision (HEAD, if none is named) against itself in two separate builds, and keep the
noise of this host: what effect how many pairs can see, how long they take, and how often A/A runs came out as
regression or improvement so far. compare uses it to say what it will see before it starts.

Exit codes:
  0    done, whatever the verdicts
  2    wrong usage or configuration
  3    a build, session, proof, expectation or verification failed
  4    the environment is unfit
  130  interrupted`

	textBundleShort = "pack two revisions for a host without a network"
	textBundleLong  = `Pack what a host without Go, git or a network needs to build and compare two revisions there: this
harness, a git, the commits, bench.yaml and, for a Go module, a trimmed toolchain and the modules of both. On the other
host, with the same operating system and architecture:

  tar xzf FILE && cd chiasmus-bundle && ./run harness compare base..head

What build.command runs besides go must be on that host. Exit codes: 0 written; 2 wrong usage; 3 it could not be packed.`

	textVersionShort = "print the version"

	textAA = "A/A: base and head are the same"

	textStopping = "harness: finishing the running proof; Ctrl-C again kills it"
	textKilling  = "harness: killing what runs"
)
