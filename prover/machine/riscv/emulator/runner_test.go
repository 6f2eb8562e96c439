package emulator

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// take simulates runners that reach the starts of parts. Each row of times holds a runner's times from the start of one
// part to the next. take returns the part that each runner takes, or 0 for none. The runners in fail fail before the
// first part.
func take(times [][]float64, fail ...int) []int {
	race := newRace(nil, memory.Inputs{}, parts(len(times)+1))
	took, at, now := make([]int, len(times)), make([]int, len(times)), make([]float64, len(times))
	for left := len(times); left > 0; {
		next := -1
		for i := range times {
			if at[i] < len(times[i]) && (next < 0 || now[i]+times[i][at[i]] < now[next]+times[next][at[next]]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		now[next] += times[next][at[next]]
		at[next]++
		if !slices.Contains(fail, next) {
			if !race.take(at[next]) {
				continue
			}
			took[next] = at[next]
		}
		at[next] = len(times[next])
		left--
	}
	return took
}

func parts(n int) (list []*part) {
	for range n {
		list = append(list, new(part))
	}
	return list
}

// The slower a runner, the earlier its part, whichever runner starts first.
func TestSlowRunnersTakeFirstParts(t *testing.T) {
	for _, c := range []struct{ paces, want []int }{
		{[]int{5}, []int{1}},
		{[]int{14, 22}, []int{2, 1}},
		{[]int{22, 14}, []int{1, 2}},
		{[]int{14, 22, 15, 23, 16, 21, 30}, []int{7, 3, 6, 2, 5, 4, 1}},
	} {
		times := make([][]float64, len(c.paces))
		for i, pace := range c.paces {
			times[i] = slices.Repeat([]float64{float64(pace)}, len(c.paces))
		}
		if took := take(times); !slices.Equal(took, c.want) {
			t.Errorf("of runners that take %d they take parts %d, want %d", c.paces, took, c.want)
		}
	}
}

// Each runner takes one part, however fast the runners are between parts. If a runner fails, the others take as many
// parts as they can reach.
func TestEveryPartIsTaken(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		times := make([][]float64, 1+random.IntN(9))
		for i := range times {
			for range times {
				times[i] = append(times[i], random.ExpFloat64())
			}
		}
		took := take(times)
		slices.Sort(took)
		for i, number := range took {
			if number != i+1 {
				t.Fatalf("%d runners take parts %d", len(times), took)
			}
		}
		took = take(times, random.IntN(len(times)))
		slices.Sort(took)
		if took = slices.Compact(took); took[0] != 0 || len(took) != len(times) {
			t.Fatalf("%d runners, of which one fails, take parts %d", len(times), took)
		}
	}
}

// Parts that no runner takes end with the error of the runners.
func TestPartsWithoutAConsumer(t *testing.T) {
	e := New(riscvtest.Load(t, loop(func(*riscvtest.Program) {}).ELF(false)))
	list := parts(3)
	for i, p := range list {
		p.program, p.from.Chunk, p.to.Chunk = e.program, 2*i, 2*i+2
		p.begun, p.done = make(chan struct{}), make(chan struct{})
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	begin(ctx, e.runners(memory.Inputs{}, list))
	for i, p := range list {
		if <-p.done; !errors.Is(p.err, why) || p.taken != (i == 0) {
			t.Errorf("part %d: taken %v, %v", i, p.taken, p.err)
		}
	}
}
