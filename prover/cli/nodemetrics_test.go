package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// A metrics file has each node with its cycles, cells, times and bytes, and their sums.
func TestNodeMetrics(t *testing.T) {
	machine, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(machine.Machine(), preset.Params)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	n := &nodeRuns{p: &program{stderr: &log}, sets: []parameters{{Preset: preset}}, begun: time.Now(), found: 1}
	plan := &nodePlan{instances: []circuit.Instance{{LogHeight: 5}}, cycles: 70, took: 2 * time.Second}
	n.add(n.measureNode("a + b", 0, key, plan, 3*time.Second, make([]byte, 2048)))
	n.add(n.measureNode("c", 0, key, plan, time.Second, nil))
	out := measurements{Metrics: map[string]float64{}, Counters: map[string]uint64{}}
	out.addNodes(n)
	cells := cellsOf(key.Shape(plan.instances))
	if len(out.Nodes) != 2 || out.Counters["nodes"] != 2 || out.Counters["nodes_kept"] != 1 ||
		out.Counters["node_cycles"] != 140 || out.Counters["node_cells"] != 2*cells || cells == 0 ||
		out.Metrics["nodes_plan_seconds"] != 4 || out.Metrics["nodes_prove_seconds"] != 4 {
		t.Errorf("%d nodes, counters %v, metrics %v", len(out.Nodes), out.Counters, out.Metrics)
	}
	text, err := json.Marshal(out.Nodes[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"what":"a + b","params":"test","cycles":70,"cells":`, `"plan_seconds":2`,
		`"prove_seconds":3`, `"proof_bytes":2048`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("a node is %s, want %s in it", text, want)
		}
	}
	if want := "node 3: c: 70 cycles in 2.000 s, proven in 1.000 s"; !strings.Contains(log.String(), want) {
		t.Errorf("reported is %q, want %q", log.String(), want)
	}
}

// A workload that has run is proven without another run, once.
func TestBeginTakesTheRun(t *testing.T) {
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	w := &workload{program: program, size: 32}
	first, err := w.begin(t.Context(), w.inputOf(1))
	if err != nil {
		t.Fatal(err)
	}
	w.ran = first
	second, err := w.begin(context.Background(), w.inputOf(1))
	if err != nil || second != first {
		t.Errorf("%p is begun (%v), want the run that was there, %p", second, err, first)
	}
	var third *run.Run
	if third, err = w.begin(t.Context(), w.inputOf(1)); err != nil || third == first {
		t.Errorf("a run is begun twice (%v)", err)
	}
}
