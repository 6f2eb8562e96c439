package measure_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
)

// fakeNsys puts a program named nsys first in the PATH, which runs its arguments. Of the four reports that it
// summarizes, the second and third are head's, and have a kernel that takes twice as long.
func fakeNsys(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	script := `#!/bin/sh
verb=$1; shift
case $verb in
profile)
	echo 'Collecting data...'
	for a; do case $a in
		--output=*) report=${a#--output=}; shift;;
		--*) shift;;
		*) break;;
	esac; done
	"$@"; rc=$?
	: >"$report.nsys-rep"
	exit $rc;;
stats)
	n=$(($(cat "$0.count" 2>/dev/null || echo 0) + 1)); echo $n >"$0.count"
	fold=6000000
	case $n in 2|3) fold=12000000;; esac
	case $n in 4) fold=6600000;; esac
	echo 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name'
	echo "60.0,$fold,6,1000000.0,1000000.0,1000000,1000000,0.0,\"void fold<(int)3>(unsigned long *, int)\""
	echo '40.0,3000000,3,1000000.0,1000000.0,1000000,1000000,0.0,leaves';;
esac
`
	if err := os.WriteFile(filepath.Join(folder, "nsys"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// GPU kernels are in the table of the largest changes: alone with --profile=nsight, and after call stacks if the host
// has a GPU and nsys. The session answers through nsys, and its warm-up proof counts.
func TestGPUKernels(t *testing.T) {
	for _, source := range []string{measure.ProfileNsight, measure.ProfileAuto} {
		t.Run(source, func(t *testing.T) {
			fakeNsys(t)
			w := newWorld(t, worldConfig)
			w.commit("base", "seconds=0.005 noise=0.005")
			w.commit("head", "seconds=0.005 noise=0.005")
			o := w.options("base..head")
			measure.SetStacks(&o.Controls, func() ([]flame.Stack, error) {
				return []flame.Stack{{Frames: []string{"main", "hash"}, Samples: 300, Seconds: 0.3}}, nil
			})
			measure.SetOnGPU(&o.Controls)
			o.Controls.Profile = source
			r := w.compare(o, failure.ExitOK)
			p := r.Workloads[0].CodeProfile
			if p == nil || p.Failed != "" || p.GPU == nil {
				t.Fatalf("profile %+v", p)
			}
			// Each turn traces one proof and one warm-up.
			if p.GPU.BaseProofs != 4 || math.Abs(p.GPU.BaseSeconds-0.0186/4) > 1e-12 ||
				math.Abs(p.GPU.HeadSeconds-0.030/4) > 1e-12 {
				t.Errorf("%+v", p.GPU)
			}
			f := p.Functions[0]
			if f.Function != "void fold<(int)3>(unsigned long *, int) [GPU]" || math.Abs(f.BaseSeconds-0.0126/4) > 1e-12 ||
				math.Abs(f.HeadSeconds-0.024/4) > 1e-12 || math.Abs(f.NoiseSeconds-0.0003) > 1e-12 || !f.Clear() {
				t.Errorf("the first change is %+v", f)
			}
			if f := p.Functions[len(p.Functions)-1]; f.Function == "leaves [GPU]" && (f.Difference() != 0 || f.Clear()) {
				t.Errorf("the kernel that did not change: %+v", f)
			}
			if sampled := p.BaseSamples > 0; sampled != (source == measure.ProfileAuto) {
				t.Errorf("%d samples of call stacks", p.BaseSamples)
			}
			graph, err := os.ReadFile(filepath.Join(r.Paths.Directory, p.Graph))
			if err != nil || !strings.Contains(string(graph), "GPU kernels by nsys") {
				t.Errorf("the graph: %v", err)
			}
		})
	}
}

// Without nsys, a requested profile of kernels says what to install, and the verdict stands.
func TestGPUKernelsWithoutNsys(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.005 noise=0.005")
	var path []string
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(folder, "nsys")); err != nil {
			path = append(path, folder)
		}
	}
	t.Setenv("PATH", strings.Join(path, string(os.PathListSeparator)))
	o := w.options("base..head")
	o.Controls.Profile = measure.ProfileNsight
	r := w.compare(o, failure.ExitOK)
	if p := r.Workloads[0].CodeProfile; r.State != report.Complete || p == nil ||
		!strings.Contains(p.Failed, "nsys is not in the PATH: install NVIDIA Nsight Systems") || p.GPU != nil {
		t.Errorf("state %s, profile %+v", r.State, p)
	}
}
