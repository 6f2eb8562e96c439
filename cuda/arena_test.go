package cuda_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
)

func take(t *testing.T, scope *cuda.Scope, name string, size uint64) *cuda.Buffer {
	t.Helper()
	b, err := scope.Take(name, size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestArenaPeakAndScopes(t *testing.T) {
	arena := cuda.PlanArena(cuda.ArenaOptions{Budget: 4096})
	proof := arena.Scope("proof")
	stage := arena.Scope("stage")
	take(t, proof, "kept", 1000)
	moved := take(t, stage, "moved", 300)
	take(t, stage, "temporary", 1024)
	if got, want := arena.Used(), uint64(1024+512+1024); got != want {
		t.Errorf("used %d, want %d", got, want)
	}
	if err := stage.Move(moved, proof); err != nil {
		t.Fatal(err)
	}
	if err := stage.End(); err != nil {
		t.Fatal(err)
	}
	if got, want := arena.Used(), uint64(1024+512); got != want {
		t.Errorf("after the stage %d used, want %d", got, want)
	}
	if got, want := arena.Peak(), uint64(2560); got != want {
		t.Errorf("peak %d, want %d", got, want)
	}
	if _, err := stage.Take("late", 1); err == nil || !strings.Contains(err.Error(), "scope stage has ended") {
		t.Errorf("taking from an ended scope: %v", err)
	}
	if err := proof.End(); err != nil || arena.Used() != 0 {
		t.Errorf("at the end: %v, %d used", err, arena.Used())
	}
	if err := arena.Close(); err != nil {
		t.Error(err)
	}
}

func TestArenaBudget(t *testing.T) {
	for _, checked := range []bool{false, true} {
		arena := cuda.PlanArena(cuda.ArenaOptions{Budget: 1024, Checked: checked})
		scope := arena.Scope("s")
		take(t, scope, "first", 512)
		_, err := scope.Take("second", 513)
		var full *cuda.BudgetError
		if !errors.As(err, &full) || full.Used != 512 || full.Budget != 1024 || full.Asked != 513 ||
			!cuda.IsOutOfMemory(err) {
			t.Errorf("checked %v: got %v, want a BudgetError with all figures", checked, err)
		}
		take(t, scope, "fits", 512)
	}
}

func TestArenaCheckedRoundsToSixteen(t *testing.T) {
	arena := cuda.PlanArena(cuda.ArenaOptions{Checked: true})
	take(t, arena.Scope("s"), "odd", 17)
	if arena.Used() != 32 {
		t.Errorf("used %d, want 32", arena.Used())
	}
}

func TestArenaLifetimeErrors(t *testing.T) {
	arena := cuda.PlanArena(cuda.ArenaOptions{Budget: 1 << 20})
	scope := arena.Scope("stage")
	b := take(t, scope, "trace", 100)
	if err := arena.Return(b); err != nil {
		t.Fatal(err)
	}
	var lifetime *cuda.LifetimeError
	if err := arena.Return(b); !errors.As(err, &lifetime) || lifetime.Buffer != "trace" {
		t.Errorf("second return: %v", err)
	}
	other := take(t, scope, "other", 100)
	if err := cuda.PlanArena(cuda.ArenaOptions{}).Return(other); err == nil {
		t.Error("a buffer of another arena was taken back")
	}
	if err := arena.Close(); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("closing with a buffer out: %v", err)
	}
	if err := scope.Move(other, arena.Scope("x")); !errors.As(err, &lifetime) {
		t.Errorf("moving a returned buffer: %v", err)
	}
}

func TestSpansAreCheckedIn64Bits(t *testing.T) {
	arena := cuda.PlanArena(cuda.ArenaOptions{})
	b := take(t, arena.Scope("s"), "wide", 1<<40)
	if _, err := b.Span(1<<39, 1<<39); err != nil {
		t.Error(err)
	}
	for _, part := range [][2]uint64{{1<<40 + 1, 0}, {1 << 39, 1<<39 + 1}, {8, ^uint64(0)}, {^uint64(0), 16}} {
		if _, err := b.Span(part[0], part[1]); err == nil {
			t.Errorf("span %v of 2^40 bytes was allowed", part)
		}
	}
}
