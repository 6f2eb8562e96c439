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
	textShort = "compare the speed of two revisions or commands"

	textLong = `harness compares the speed of two revisions of a program, or of two commands. It builds both revisions,
runs them in turn (A-B-B-A) in fresh processes, verifies every proof if they are provers, and reports with a paired test
whether head is faster, slower, equivalent, or not yet known. bench.yaml says what to build and measure; harness run
needs no file.

  harness run -- ./old -- ./new        compare two commands
  harness init                         write a bench.yaml for this project
  harness compare main..HEAD           compare two revisions of it`

	textExitCodes = `

Exit codes:
  0    no regression
  1    regression, or a verdict that --fail-on names
  2    wrong usage or configuration, including an unknown revision
  3    a build, session, proof, expectation or verification failed
  4    the environment is unfit for measuring
  130  interrupted
If several apply, the first of 130, 2, 3, 4, 1, 0 counts.`

	textExitPlain = `

Exit codes:
  0    done, whatever the verdict
  2    wrong usage, or no such run or file
  3    a file could not be written`

	textFirstShort = "write a first bench.yaml for the project in this folder"

	textFirstLong = `Write a bench.yaml for the build files of a project: Cargo (a package or a workspace), Go, CMake, a
Makefile, or Python. The programs that the project builds become workloads, run without arguments and timed from start
to end. Benchmarks of Go, Criterion and pytest-benchmark become workloads, too.

NAME selects a program, an example or a benchmark, as --list names them; arguments after -- are appended to the command
line of the selected one. Without a NAME, bench.yaml gets at most three programs and three suites, first those whose
names suggest a prover.

An existing bench.yaml is not changed. ` + "`harness github init`" + ` also writes a workflow for pull requests.

Exit codes:
  0    written
  2    there is a bench.yaml already, nothing has the NAME, the folder cannot
       be read or written, or a build file is invalid`

	textFirstExample = `  harness init
  harness init bench_recursion -- --size 12
  harness init backend/groth16 -- -test.bench=Prover`

	textFirstNext = "Next: harness compare %s, or any two revisions of this repository.\n"

	textDirectory = "run as if started in `FOLDER`"
	textLock      = "lock `FILE` that allows one measurement at a time on this host (default: a file of the user, and a " +
		"machine-wide name that excludes other users)"
	textConfig    = "use the bench.yaml in `FILE` (default: the one in this folder)"
	textNoWait    = "if another measurement runs on this host, fail with exit code 4 instead of waiting"
	textBaselines = "read baselines for pre-checks from `FOLDER`, and store those of both revisions there (default: " +
		"only base's, in the user's cache folder)"
	textRequireQuiet = "wait until the host is quiet; give up with exit code 4 after environment.quiet_timeout " +
		"(10m by default)"

	textCompareUse   = "compare BASE..HEAD | --base BASE HEAD..."
	textCompareShort = "compare two revisions, or several with one base"
	textCompareLong  = `Build base and head, measure them in turn, and report which is faster.

  base..head    compare head with base
  base...head   compare head with its merge base with base
  head          compare head, which must contain HEAD, with HEAD
  base..        compare HEAD, or with --dirty the work tree, with base

With --base, up to 8 heads are compared with one base: each block runs base and all heads in a random order, and then in
the reverse order. The chance of any false call among all heads stays at plan.alpha.

A revision compared with itself is an A/A run; with --base-env and --head-env it is a comparison of two builds. Ctrl-C
finishes the running proof and writes a partial report; a second Ctrl-C kills it. harness resume continues the run. Runs
are stored in .chiasmus/runs of this folder: report.json, report.md, report.html, the journal, logs, and each workload's
pairs.csv.` +
		textExitCodes
	textCompareExample = `  harness compare main..HEAD
  harness compare HEAD~1.. --workload keccak-16k --pairs 20
  harness compare HEAD..HEAD --head-env GOAMD64=v4
  harness compare --base main fast small table
  harness compare main..HEAD --profile
  harness compare main.. --dry-run`

	textResumeUse   = "resume RUN"
	textResumeShort = "continue a run that was interrupted or killed"
	textResumeLong  = `Continue a run that was interrupted or killed, from its journal. RUN is its ID or a prefix of it,
its folder, or last. The revisions, artifacts, inputs, host and seed must be the same; otherwise resume refuses and
names the difference. A run that has ended, with a verdict or a failure, cannot be continued, unless the host caused the
failure (busy, not quiet, disk full). If a run was killed while it wrote its reports, resume writes them.` +
		textExitCodes

	textJoinUse   = "join [NAME=]RESULT..."
	textJoinShort = "join the results of several hosts into one report"
	textJoinLong  = `Join the results of several hosts into one report. All hosts must have measured the same two revisions
with the same bench.yaml and plan, each with its own builds, processes and order of proofs. RESULT is the folder of a
run, its report.json, or the result.json of a GitHub job. NAME is the host's name in the report (default: the name in
the result).

All figures are recomputed from the pairs with this folder's bench.yaml, and a result that claims other figures is
refused. The tests take hosts as the sampling unit. If a host has not finished, the report is partial and has no
verdict: continue its run with harness resume and join again, or leave the host out with --without.` + textExitCodes
	textJoinExample = `  harness join results/*/report.json
  harness join a=bench-a/run b=bench-b/run --format markdown --out joined`

	textHosts = "measure the whole plan on each of several hosts: `HOSTS` is all, a number, or agents' labels " +
		"separated by commas (with --nats)"

	textFleetShort = "compare on several hosts through a NATS server"
	textFleetLong  = `Compare on several hosts at once, through a NATS server. Each host measures the whole plan with its
own builds, processes and order of proofs. One report is made of their results; its tests take hosts as the sampling
unit.

  once, on any host; it prints where the credentials are:
    harness fleet serve --store DIR --label bench-1 --label bench-2 ...
  on each measuring host:
    harness fleet agent --nats URL --credential bench-1.nk --label bench-1
  on your machine:
    harness compare main..HEAD --nats URL --credential desk.nk --hosts all`
	textFleetServeShort = "run the server"
	textFleetServeLong  = `Run a NATS server with JetStream that keeps all its data in one folder. The first start creates
a credential for the coordinator and one for each label, in the subfolder credentials. harness fleet credential creates
and removes credentials while the server runs. An agent may write only its own status and messages. The coordinator's
credential signs orders; agents refuse unsigned ones. Without --tls-cert and --tls-key nothing is encrypted: then listen
only on an address of a trusted network.

The server is the program harness-fleet-server, which is part of each release and built by make build. This command
starts it from the folder that contains harness, or from PATH.`
	textFleetCredentialShort = "create, list and remove credentials of the server"
	textFleetCredentialLong  = `Create, list and remove credentials in the folder of harness fleet serve. The server may be
running. An agent or coordinator whose credential is removed loses its connection within a few seconds.

add writes FOLDER/credentials/NAME.nk, to be moved to its holder's host with mode 600, and NAME.pub, which the server
needs. An agent's credential contains the public key that verifies orders, a coordinator's the key that signs them. All
credentials of a folder share this key, so agents need no change when a coordinator is added.`
	textFleetAgentShort = "measure on this host for coordinators"
	textFleetAgentLong  = `Build and measure on this host what coordinators order, one order at a time, under bubblewrap
unless --without-isolation is given. Whoever holds the coordinator's credential can run code on this host. A run that
was cut off continues when the agent is started again. Ctrl-C finishes the running proof.`
	textFleetListShort   = "list the connected agents"
	textFleetCancelShort = "cancel a job: its hosts stop after the running proof"
	textFleetFollowShort = "wait again for the hosts of a job, and report"
	textFleetFollowLong  = `Wait again for the hosts of a comparison with --hosts, after this command or a host was
interrupted, and report. JOB is the job's name, as compare printed it.` + textExitCodes

	textRunArgument = "RUN: its ID or a prefix of it, its folder, or last"

	textReportUse   = "report RUN"
	textReportShort = "show the report of a run again"
	textReportLong  = `Show the report of a run again, in any format. RUN is its ID or a prefix of it, its folder, or
last.` + textExitPlain

	textRunsShort = "list the runs of this folder"
	textRunsLong  = `List the runs of this folder, oldest first.` + textExitPlain

	textGCShort = "show the disk space of runs and builds, and free it"
	textGCLong  = `Show the disk space that the runs and builds of this folder take, and what would be deleted; --yes
deletes it. The newest runs, recently used builds, everything in use, and all noise profiles are kept. Runs are in
.chiasmus/runs, builds in the user's cache folder (chiasmus/builds in XDG_CACHE_HOME or ~/.cache). Builds of folders
that no longer exist are listed, too. So are processes left behind by a run whose harness was killed; --yes kills
them.` + textExitPlain

	textStatsUse   = "stats FILE [FILE]"
	textStatsShort = "compute the statistics of any pairs, or of other tools' times"
	textStatsLong  = `Compute the statistics of pairs in a CSV file with a header: the columns a and b, or those that --a
and --b name. The columns pair, block and order (AB or BA) are used if present. The file name - means standard input.

Results of other tools are read, too: hyperfine (--export-json), Criterion (target/criterion/NAME/base/sample.json and
.../new/sample.json) and go test -bench. Two results of one file are compared, or results of the same name in two files.
Such values are not paired, so they are compared by Welch's t-test and the Mann-Whitney U test, Holm-adjusted if there
are several. The result is at most that they differ: without interleaving, a difference cannot be distinguished from
drift between the two series.` + textExitPlain
	textStatsExample = `  harness stats .chiasmus/runs/RUN/keccak/pairs.csv
  harness stats times.csv --a old_seconds --b new_seconds
  hyperfine --export-json t.json ./old ./new; harness stats t.json
  go test -bench . -count 10 >new.txt; harness stats old.txt new.txt`

	textCalibrateUse   = "calibrate [REVISION] --workload NAME"
	textCalibrateShort = "measure the noise of this host"
	textCalibrateLong  = `Measure a revision (default: HEAD) against itself in two separate builds, and record the noise of
this host: the effects that different numbers of pairs can detect, the time they take, and how often A/A runs were
judged a regression or improvement. compare uses this to predict, before it starts, which effects it can detect.

Exit codes:
  0    done, whatever the verdicts
  2    wrong usage or configuration
  3    a build, session, proof, expectation or verification failed
  4    the environment is unfit for measuring
  130  interrupted`

	textBundleShort = "pack two revisions for a host without a network"
	textBundleLong  = `Pack everything that a host without Go, git or a network needs to build and compare two revisions:
this harness, git, the commits, bench.yaml and, for a Go module, a trimmed toolchain and the dependencies of both
revisions. The other host must have the same operating system and architecture. There, run:

  tar xf FILE && cd chiasmus-bundle && ./run harness compare base..head

The host must have all programs that build.command runs besides go. Exit codes: 0 written; 2 wrong usage; 3 packing
failed.`

	textVersionShort    = "print the version"
	textCompletionShort = "print a script that completes commands in a shell"
	textHelpShort       = "show the help of a command"

	textAA = "A/A run: base and head are the same revision"

	textStopping = "harness: finishing the running proof; Ctrl-C again kills it"
	textKilling  = "harness: killing the running processes"
)
