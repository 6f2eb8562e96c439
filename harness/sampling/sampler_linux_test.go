package sampling

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// The sampled program is the test's own binary. This variable has the number of rounds of changedWork.
const roundsVariable = "SAMPLING_TEST_ROUNDS"

func TestMain(m *testing.M) {
	if rounds, err := strconv.Atoi(os.Getenv(roundsVariable)); err == nil {
		proveLike(rounds)
		return
	}
	os.Exit(m.Run())
}

var sink atomic.Uint64

//go:noinline
func steadyWork(rounds int) { sink.Add(spin(1, rounds)) }

//go:noinline
func changedWork(rounds int) { sink.Add(spinOther(1, rounds)) }

//go:noinline
func proveLike(rounds int) {
	for range 10 {
		steadyWork(1_000_000)
		changedWork(rounds)
	}
}

func spin(x uint64, rounds int) uint64 {
	for range 10 * rounds {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func spinOther(x uint64, rounds int) uint64 {
	for range 10 * rounds {
		x = x*2862933555777941757 + 3037000493
	}
	return x
}

// sample runs the program for the given number of rounds.
func sample(t *testing.T, rounds int) flame.Side {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Skip("skipped only because the kernel refuses: " + err.Error())
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roundsVariable+"="+strconv.Itoa(rounds), "GOMAXPROCS=1")
	if err := s.While(func() error {
		if err := s.Around(cmd.Start); err != nil {
			return err
		}
		return cmd.Wait()
	}); err != nil {
		t.Fatal(err)
	}
	names := NewSymbols()
	stacks, lost := s.Close(names)
	if lost > 0 {
		t.Logf("%d samples were lost; without names: %q", lost, names.Nameless())
	}
	return flame.Side{Stacks: stacks, Proofs: 1}
}

// A function that does eight times the work is the one that changed most, and below main. Programs beside the test can
// halve the processor's speed, so the ratio has wide bounds.
func TestMoreWorkRanksFirst(t *testing.T) {
	base, head := sample(t, 1_000_000), sample(t, 8_000_000)
	changes := flame.Changes(base, head)
	if len(changes) == 0 {
		t.Fatal("there are no samples")
	}
	first := changes[0]
	if !strings.HasSuffix(first.Function, "sampling.changedWork") || !first.Clear() {
		t.Fatalf("the first is %+v", first)
	}
	if ratio := first.HeadSeconds / first.BaseSeconds; ratio < 3 || ratio > 20 {
		t.Errorf("it takes %.2f times as long, want about eight times", ratio)
	}
	below := slices.ContainsFunc(head.Stacks, func(s flame.Stack) bool {
		main := slices.IndexFunc(s.Frames, func(f string) bool { return strings.HasSuffix(f, "sampling.TestMain") })
		return main >= 0 && slices.Index(s.Frames, first.Function) > main
	})
	if !below { // its direct caller is hidden: it has no frame of its own
		t.Errorf("it is never below main: %+v", head.Stacks)
	}
	t.Logf("%.0f and %.0f samples; %+v", base.Samples(), head.Samples(), first)
}

func TestWhatToSetWhereTheKernelRefuses(t *testing.T) {
	for err, want := range map[error]string{
		os.NewSyscallError("perf_event_open", unix.EACCES): "sysctl kernel.perf_event_paranoid=2",
		unix.ENOSYS: "seccomp",
	} {
		if got := whyNot(err, "4"); !strings.Contains(got, want) || !strings.Contains(got, "CAP_PERFMON") {
			t.Errorf("%v: %q", err, got)
		}
	}
}
