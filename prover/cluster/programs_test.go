package cluster

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Jobs with equal programs and parameters share what was built for the first; others do not.
func TestJobsShareProgramsThatAreTheSame(t *testing.T) {
	built := 0
	p := &programs{build: func(name string, file []byte) (run.Program, error) { built++; return build(name, file) }}
	get := func(file string, blowup int) *work {
		params := testParams(t)
		params.LogBlowup = blowup
		w, err := p.get("tour", []byte(file), params)
		must(t, err)
		return w
	}
	first := get("file", 1)
	if again := get("file", 1); again.key != first.key || again.program != first.program || built != 1 {
		t.Errorf("one program was built %d times, want once", built)
	}
	if first.key == get("file", 2).key {
		t.Error("other parameters have the same key")
	}
	if first.key == get("other", 1).key {
		t.Error("another file has the same key")
	}
	for i := range keptPrograms - 2 {
		get(fmt.Sprint(i), 1)
	}
	if get("file", 1); built != 1+keptPrograms+1 {
		t.Errorf("%d programs were built, want %d: the first is forgotten by then", built, keptPrograms+2)
	}
	_, err := p.get("none", nil, testParams(t))
	refuses(t, err, "no machine none")
}

// A device is set up for one key. For shards of a program that was built again, it is set up again even if the key's
// digest is equal: a lookup table of the one would not know the buses of the other.
func TestDeskBeginsAnewForAnotherKey(t *testing.T) {
	d := &desk{device: device("cpu")}
	commit := func(w *work) *slot {
		s, err := d.begin(t.Context(), "job", w, 0, nil)
		must(t, err)
		s.drop()
		return s
	}
	run := func() *work {
		w, err := (&programs{build: build}).get("tour", nil, testParams(t))
		must(t, err)
		o := order(t, 5, 16, 2)
		o.Input.MinLogHeight, o.Input.Pool = o.Params.MinLogHeight, parallel.New(1)
		must(t, w.begin(t.Context(), evenly(o, o.Input)))
		return w
	}
	one, other := run(), run()
	first := commit(one)
	if commit(one) != first {
		t.Error("the same key's shards go to another slot")
	}
	if commit(other) == first || d.key != other.key {
		t.Error("another key's shard went to a prover of the first key")
	}
	must(t, d.close())
}
