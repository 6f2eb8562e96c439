package sampling

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// summary is the output of nsys stats 2025.3 with --force-export=true --format=csv --report=cuda_gpu_kern_sum.
const summary = `Generating SQLite file nsys-0.sqlite from nsys-0.nsys-rep
Processing [nsys-0.sqlite] with [/opt/nsight-systems/2025.3/host-linux-x64/reports/cuda_gpu_kern_sum.py]... 
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
75.0,3000000,2,1500000.0,1500000.0,1400000,1600000,141421.4,"void fold<(int)3>(unsigned long *, int)"
25.0,1000000,4,250000.0,250000.0,250000,250000,0.0,leaves

`

func TestReadKernels(t *testing.T) {
	got, err := readKernels(strings.NewReader(summary))
	want := []Kernel{{"void fold<(int)3>(unsigned long *, int)", 2, 0.003}, {"leaves", 4, 0.001}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	nothing := "Processing [a]...\nSKIPPED: a.sqlite does not contain CUDA kernel data.\n"
	got, err = readKernels(strings.NewReader(nothing))
	if err != nil || len(got) != 0 {
		t.Errorf("without kernels: %+v, %v", got, err)
	}
	for text, says := range map[string]string{
		"": "printed no table",
		"ERROR: Database file a.sqlite does not exist.\n":       "a.sqlite does not exist",
		"Time (%),Total Time,Instances,Name\n1,2,3,a\n":         "Total Time (ns)",
		"Time (%),Total Time (ns),Instances,Name\n1,x,3,fold\n": `kernel fold took "x" ns`,
		"Time (%),Total Time (ns),Instances,Name\n1,-2,3,a\n":   "want numbers",
		"Time (%),Total Time (ns),Instances,Name\n1,2,3.5,a\n":  "want numbers",
	} {
		if got, err := readKernels(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v, want %q", text, got, err, says)
		}
	}
}

func TestSumKernels(t *testing.T) {
	got := sumKernels([]Kernel{{"b", 1, 1}, {"a", 2, 2}, {"b", 3, 4}})
	if !slices.Equal(got, []Kernel{{"a", 2, 2}, {"b", 4, 5}}) {
		t.Errorf("%+v", got)
	}
}

// fakeNsys puts a program named nsys first in the PATH. It prints to standard output as nsys does, runs what it is
// given, and writes the summary.
func fakeNsys(t *testing.T, script string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "nsys"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// workingNsys is a fake that writes reports.
const workingNsys = `verb=$1; shift
case $verb in
profile)
	echo 'Collecting data...'
	for a; do case $a in
		--output=*) report=${a#--output=}; shift;;
		--*) shift;;
		*) break;;
	esac; done
	"$@"; rc=$?
	echo "Generated: $report.nsys-rep"
	: >"$report.nsys-rep"
	exit $rc;;
stats)
	for last; do :; done
	: >"${last%.nsys-rep}.sqlite"
	cat <<'END'
` + summary + `END
esac
`

// The wrapped program owns the caller's standard input and output: nsys's own lines go to standard error.
func TestNsysLeavesInputAndOutputAlone(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd/0"); err != nil {
		t.Skip("this system has no /proc")
	}
	fakeNsys(t, workingNsys)
	folder := t.TempDir()
	n, err := FindNsys(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	argv := append(n.Wrap(), "sh", "-c", `read line; echo "got $line, and $1"; exit 7`, "sh", "two words")
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stderr = strings.NewReader("hello\n"), &complaints
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("the program exits with 7, the wrapped one with %v", err)
	}
	if string(out) != "got hello, and two words\n" {
		t.Errorf("standard output is %q", out)
	}
	if !strings.Contains(complaints.String(), "Collecting data") {
		t.Errorf("standard error is %q", complaints.String())
	}
	argv = append(n.Wrap(), "true")
	if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
		t.Fatal(err)
	}
	kernels, err := n.Close(context.Background())
	if err != nil || len(kernels) != 2 || kernels[0] != (Kernel{"leaves", 8, 0.002}) {
		t.Errorf("%+v, %v", kernels, err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%d files are left, such as %s", len(left), left[0].Name())
	}
}

func TestNsysThatCannotBeUsed(t *testing.T) {
	folder := t.TempDir()
	for _, one := range []struct{ name, script, says string }{
		{"profile fails", "echo 'This user may not trace'; exit 1", "nsys profile: exit status 1: This user may not trace"},
		{"stats fails", strings.Replace(workingNsys, "stats)", "stats) echo 'no python' >&2; exit 3;", 1),
			"nsys stats: exit status 3: no python"},
		{"no report", strings.Replace(workingNsys, `: >"$report.nsys-rep"`, ":", 1), "nsys profile wrote no report"},
	} {
		t.Run(one.name, func(t *testing.T) {
			fakeNsys(t, one.script)
			n, err := FindNsys(context.Background(), folder)
			if err == nil {
				argv := append(n.Wrap(), "true")
				if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
					t.Fatal(err)
				}
				_, err = n.Close(context.Background())
			}
			if err == nil || !strings.Contains(err.Error(), one.says) {
				t.Errorf("%v, want %q", err, one.says)
			}
		})
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := FindNsys(context.Background(), folder); !errors.Is(err, ErrNoNsys) {
		t.Errorf("without nsys: %v", err)
	}
}
