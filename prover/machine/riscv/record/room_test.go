package record

import (
	"runtime"
	"testing"
)

// A trace grows in its room without moving, so that the parts of it that were shared before stay valid.
func TestTraceGrowsInPlace(t *testing.T) {
	trace := NewTrace(1, 1)
	if trace.room == nil {
		if runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") {
			t.Fatal("the system gives no address space")
		}
		t.Skip("no address space on this platform")
	}
	const checkpoints, words = 1 << 16, 1 << 21 // more than the small pages
	log, first := &trace.Log[:1][0], &trace.Checkpoints[:1][0]
	for i := range checkpoints {
		trace.Checkpoints = append(trace.Checkpoints, Checkpoint{Log: uint64(i)})
	}
	half := trace.Up(checkpoints/2, 0)
	for i := range uint64(words) {
		trace.Log = append(trace.Log, i)
	}
	if log != &trace.Log[0] || first != &trace.Checkpoints[0] {
		t.Error("the trace was moved")
	}
	for i, word := range trace.Log {
		if word != uint64(i) {
			t.Fatalf("word %d is %d", i, word)
		}
	}
	if len(half.Checkpoints) != checkpoints/2 || cap(half.Checkpoints) != checkpoints/2 || len(half.Log) != 0 {
		t.Errorf("the first half has %d checkpoints and %d words", len(half.Checkpoints), len(half.Log))
	}
}

// The memory of a trace lives as long as any trace that was derived from it.
func TestDerivedTracesKeepTheRoom(t *testing.T) {
	for name, derive := range map[string]func(*Trace) *Trace{
		"Up":    func(t *Trace) *Trace { return t.Up(2, 1) },
		"With":  func(t *Trace) *Trace { return t.With(t.Checkpoints[:2]) },
		"Part":  func(t *Trace) *Trace { return t.Part(0, 1) },
		"Empty": func(t *Trace) *Trace { t = t.Empty(); t.Log = t.Log[:1]; return t },
	} {
		trace := NewTrace(2, 1)
		trace.Checkpoints = append(trace.Checkpoints, Checkpoint{}, Checkpoint{Log: 1})
		trace.Log = append(trace.Log, 42)
		derived := derive(trace)
		trace = nil
		for range 3 { // a cleanup would run after the first
			runtime.GC()
		}
		if derived.Log[0] != 42 {
			t.Errorf("%s: the log is %d", name, derived.Log)
		}
		runtime.KeepAlive(derived)
	}
}

func TestFreedTrace(t *testing.T) {
	trace := NewTrace(1, 1)
	trace.Log = append(trace.Log, 1)
	trace.Free()
	if trace.Log != nil || trace.Checkpoints != nil {
		t.Errorf("a freed trace has %d words", len(trace.Log))
	}
	trace.Free() // an empty trace has nothing to free
}
