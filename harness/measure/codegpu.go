package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/sampling"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

const (
	// tracedProofs and tracedProcesses limit the proofs of one arm that nsys traces in one turn. The first is for
	// sessions, the second for proofs in a process each: nsys needs seconds for every process.
	tracedProofs    = 8
	tracedProcesses = 2
	// kernelFrame is the outermost frame of all GPU kernels, and kernelMark follows their names: the host function that
	// launches a kernel often has the same name.
	kernelFrame = "GPU kernels"
	kernelMark  = " [GPU]"
)

// wantsKernels reports whether GPU kernels are to be traced, and whether a failure to do so is to be reported.
func (r *run) wantsKernels() (wanted, asked bool) {
	switch r.controls.Profile {
	case ProfileNsight:
		return true, true
	case ProfileAuto:
		gpu := r.controls.codeSource == nil && r.history.Start != nil && len(r.history.Start.GPUs) > 0
		return (gpu || r.controls.onGPU) && sampling.HasNsys(), false
	}
	return false, false
}

// traceKernels traces the GPU kernels of proofs of base and head in the order ABBA, and adds them to a profile. It
// returns the kernels as stacks whose CPU time is zero.
func (m *measurement) traceKernels(ctx context.Context, built map[schedule.Arm][]*build.Result,
	out *evidence.CodeProfile) (map[schedule.Arm]*flame.Side, error) {
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		if built[arm][0].Isolation != nil {
			return nil, errors.New("nsys cannot trace programs that run isolated: add --isolate=off")
		}
	}
	folder := filepath.Join(m.run.dir.Proofs(), "nsys")
	turns := map[schedule.Arm][]flame.Side{}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head, schedule.Head, schedule.Base} {
		n, err := sampling.FindNsys(ctx, folder)
		if err != nil {
			return nil, err
		}
		proofs := min((m.profiledProofs(arm)+1)/2, tracedProcesses)
		if m.workload.IsSession() {
			proofs = min((m.profiledProofs(arm)+1)/2, tracedProofs)
		}
		stacks, _, err := m.profileArm(ctx, arm, proofs, nsightSource(n))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arm, err)
		}
		if m.workload.IsSession() { // the trace includes the proofs that warm the session up
			proofs += max(1, m.run.decision.Plan.Warmup)
		}
		turns[arm] = append(turns[arm], flame.Side{Stacks: stacks, Proofs: proofs})
	}
	sides := map[schedule.Arm]*flame.Side{}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		side := bothTurns(turns[arm][0], turns[arm][1])
		if len(side.Stacks) == 0 {
			return nil, fmt.Errorf("%s: nsys saw no GPU kernel: does the workload use CUDA, and may this user trace it?", arm)
		}
		sides[arm] = &side
	}
	base, head := *sides[schedule.Base], *sides[schedule.Head]
	out.GPU = &evidence.GPUProfile{
		BaseProofs: base.Proofs, HeadProofs: head.Proofs, BaseSeconds: base.Seconds(), HeadSeconds: head.Seconds(),
	}
	return sides, nil
}

// nsightSource takes the total time of each kernel from nsys.
func nsightSource(n *sampling.Nsys) codeSource {
	return codeSource{"nsys", func() (stackTaker, error) {
		return stackTaker{
			wrap:   n.Wrap,
			linger: sampling.NsysLinger,
			while:  func(do func() error) error { return do() },
			end: func(ctx context.Context) ([]flame.Stack, []string, error) {
				kernels, err := n.Close(ctx)
				var stacks []flame.Stack
				for _, k := range kernels {
					stacks = append(stacks, flame.Stack{Frames: []string{kernelFrame, k.Name + kernelMark}, Seconds: k.Seconds})
				}
				return stacks, nil, err
			},
		}, nil
	}}
}

// bothTurns adds up the two turns of an arm. It estimates the variance of a kernel's time from the difference between
// the turns.
func bothTurns(first, second flame.Side) flame.Side {
	out := flame.Side{Proofs: first.Proofs + second.Proofs}
	perProof := [2]map[string]float64{{}, {}}
	for turn, side := range []flame.Side{first, second} {
		for _, s := range flame.Fold(side.Stacks) {
			perProof[turn][s.Frames[len(s.Frames)-1]] = s.Seconds / float64(side.Proofs)
		}
	}
	for _, s := range flame.Fold(append(append([]flame.Stack{}, first.Stacks...), second.Stacks...)) {
		name := s.Frames[len(s.Frames)-1]
		half := (perProof[0][name] - perProof[1][name]) / 2 // standard deviation of the mean of two values
		s.Variance = math.Pow(half*float64(out.Proofs), 2)
		out.Stacks = append(out.Stacks, s)
	}
	return out
}
