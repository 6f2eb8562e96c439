package cuda

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

func TestParseFault(t *testing.T) {
	for text, want := range map[string]Fault{
		"launch=sticky":                   {Call: "launch", Occurrence: 1, Result: driver.IllegalAddress},
		"commit_main/alloc#3=recoverable": {Stage: "commit_main", Call: "alloc", Occurrence: 3, Result: driver.OutOfMemory},
		"cuMemAlloc_v2#2=719":             {Call: "cuMemAlloc_v2", Occurrence: 2, Result: driver.LaunchFailed},
	} {
		if got, err := ParseFault(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"launch", "launch#0=sticky", "launch#x=sticky", "=sticky", "launch=maybe", "launch=-1"} {
		if _, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFaultPlanCountsByNameAndStage(t *testing.T) {
	plan := NewFaultPlan(
		Fault{Stage: "commit", Call: "launch", Occurrence: 2, Result: driver.IllegalAddress},
		Fault{Call: "chiasmus_fold", Occurrence: 1, Result: driver.LaunchOutOfResources},
	)
	steps := []struct {
		stage, detail string
		f             driver.Function
		want          driver.Result
	}{
		{"commit", "chiasmus_ntt", driver.LaunchKernel, driver.Success},
		{"open", "chiasmus_ntt", driver.LaunchKernel, driver.Success},
		{"commit", "x, 8 bytes", driver.MemAlloc, driver.Success},
		{"commit", "chiasmus_ntt", driver.LaunchKernel, driver.IllegalAddress},
		{"commit", "chiasmus_ntt", driver.LaunchKernel, driver.Success},
		{"fold", "chiasmus_fold", driver.LaunchKernel, driver.LaunchOutOfResources},
		{"fold", "chiasmus_fold", driver.LaunchKernel, driver.Success},
	}
	for i, step := range steps {
		got, hit := plan.next(step.stage, step.f, step.detail)
		if got != step.want || hit != (step.want != driver.Success) {
			t.Errorf("step %d: got %d, want %d", i, got, step.want)
		}
	}
	if plan.Fired() != 2 {
		t.Errorf("%d fired, want 2", plan.Fired())
	}
}

func TestFaultPlanReplaced(t *testing.T) {
	plan := NewFaultPlan(Fault{Call: "launch", Occurrence: 2, Result: driver.IllegalAddress})
	launch := func() bool { _, hit := plan.next("fold", driver.LaunchKernel, "chiasmus_fold"); return hit }
	if launch() {
		t.Error("the first launch fails, the second was planned to")
	}
	plan.Replace(Fault{Call: "launch", Occurrence: 2, Result: driver.OutOfMemory})
	if launch() {
		t.Error("occurrences do not count anew")
	}
	if !launch() || plan.Fired() != 1 {
		t.Errorf("%d faults were injected, want 1", plan.Fired())
	}
	if plan.Replace(); launch() {
		t.Error("an empty plan injects a fault")
	}
}
