package gpu

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// On a GPU host: -parity keccak:16384,fib:4194304 -params default.
var (
	parityCases = flag.String("parity", "fib:32,tour:40,keccak:1,keccak:3,fib:1024,tour:300",
		"MACHINE:SIZE of the proofs that are compared, separated by commas")
	parityParams = flag.String("params", "test", "their parameters: a preset's name")
	randomInputs = flag.Int("random-inputs", 32,
		"how many random inputs of small sizes are proven and compared; 10 with -short")
)

// claim is what a test proves.
type claim struct {
	name string
	size int
	seed uint64
}

func (c claim) String() string { return fmt.Sprintf("%s %d, seed %d", c.name, c.size, c.seed) }

// claims parses a flag of MACHINE:SIZE, each with its own seed.
func claims(t testing.TB, cases string) (list []claim) {
	t.Helper()
	for i, text := range strings.Split(cases, ",") {
		name, number, _ := strings.Cut(text, ":")
		size, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%q is no MACHINE:SIZE", text)
		}
		list = append(list, claim{name, size, uint64(i + 1)})
	}
	return list
}

// statement is a claim with its execution and parameters.
func (c claim) statement(t testing.TB) (machine.Execution, *machine.Fillers, protocol.Params) {
	t.Helper()
	preset, err := protocol.PresetByName(*parityParams)
	if err != nil {
		t.Fatal(err)
	}
	program := c.program(t)
	return execute(t, program, c.size, c.seed, preset.Params), program.Fillers(), preset.Params
}

// program keeps one value of each machine, because kernels are loaded once for each.
func (c claim) program(t testing.TB) run.Program {
	program, _ := known.LoadOrStore(c.name, programOf(t, c.name))
	return program.(run.Program)
}

var known sync.Map

// onCPU is the CPU's proof of a claim, made once.
func (c claim) onCPU(t testing.TB) []byte {
	t.Helper()
	if data, ok := cpuProofs.Load(c); ok {
		return data.([]byte)
	}
	execution, fillers, params := c.statement(t)
	data, _, err := proofOf(fillers, params, cpu.New(parallel.New(0)), execution)
	if err != nil {
		t.Fatalf("%v on the CPU: %v", c, err)
	}
	if _, err := prover.Verify(t.Context(), data, c.accepting(t)); err != nil {
		t.Fatalf("%v on the CPU: %v", c, err)
	}
	cpuProofs.Store(c, data)
	return data
}

var cpuProofs sync.Map

// accepting are a verifier's options for the claim.
func (c claim) accepting(t testing.TB) prover.VerifyOptions {
	return prover.VerifyOptions{MinBits: prover.AnyBits, Program: c.program(t)}
}

// prove makes one proof with a prover of its own.
func proofOf(fillers *machine.Fillers, params protocol.Params, on backend.Backend,
	execution machine.Execution) (data []byte,
	metrics *prove.Metrics, err error) {
	p, err := prover.New(fillers, params, on, prover.Options{Encode: true})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	proof, metrics, err := p.Prove(context.Background(), whole(execution), nil)
	if err != nil {
		return nil, nil, err
	}
	data, err = proof.MarshalBinary()
	return data, metrics, err
}

// compare proves a claim on the device and compares with the CPU's proof.
func (c claim) compare(t *testing.T, b *Backend) *prove.Metrics {
	t.Helper()
	want := c.onCPU(t)
	execution, fillers, params := c.statement(t)
	got, metrics, err := proofOf(fillers, params, b, execution)
	if finding := b.Finding(); finding != "" {
		t.Errorf("%v: the software device found: %s", c, finding)
	}
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%v: the GPU's proof has %d bytes, the CPU's %d, and they differ from byte %d", c, len(got), len(want),
			firstDifference(got, want))
	}
	return metrics
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// The GPU's proofs equal the CPU's, byte for byte, for every order of the software device, and checked mode finds no
// invalid access of a kernel.
func TestParity(t *testing.T) {
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for _, c := range claims(t, *parityCases) {
			if testing.Short() && c.seed > 2 {
				continue
			}
			if b.device.Options.Device == SoftwareChecked && c.seed > 2 {
				continue // the first two have every kind of kernel, and checked mode takes 30 times as long
			}
			t.Run(fmt.Sprintf("%s %d", c.name, c.size), func(t *testing.T) { c.compare(t, b) })
		}
	})
}

// stagesOf are the stages in which a proof of the machine launches kernels.
func stagesOf(m *circuit.Machine) []prove.Stage {
	var stages []prove.Stage
	for _, stage := range prove.Stages {
		switch stage {
		case prove.StageOther:
			continue
		case prove.StageCount:
			if len(m.Buses) == 0 {
				continue
			}
		case prove.StageLogUp, prove.StageCommitAuxiliary:
			if len(m.Buses) == 0 {
				continue
			}
		}
		stages = append(stages, stage)
	}
	return stages
}

// Every stage runs on the device, and has metrics.
func TestEveryStageLaunchesKernels(t *testing.T) {
	for _, c := range []claim{{"fib", 32, 1}, {"keccak", 1, 1}, {"tour", 40, 1}} {
		t.Run(c.name, func(t *testing.T) {
			b := openBackend(t, Options{})
			execution, fillers, params := c.statement(t)
			p, err := prover.New(fillers, params, b, prover.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}()
			host := cpu.New(parallel.New(2))
			if _, _, err := proofOf(fillers, params, host, execution); err != nil {
				t.Fatal(err)
			}
			_, want := host.Report()
			var last map[string]uint64
			for range 2 {
				if _, _, err := p.Prove(context.Background(), whole(execution), nil); err != nil {
					t.Fatal(err)
				}
				metrics, counters := b.Report()
				sum := uint64(0)
				for _, stage := range stagesOf(fillers.Machine) {
					launches := counters["kernel_launches_"+string(stage)]
					sum += launches
					if launches == 0 {
						t.Errorf("stage %s launches no kernel", stage)
					}
					if took := metrics["device_"+string(stage)+"_seconds"]; took <= 0 {
						t.Errorf("stage %s took %v s of device time", stage, took)
					}
				}
				if counters["kernel_launches"] != sum {
					t.Errorf("%d kernels in all, %d in the stages", counters["kernel_launches"], sum)
				}
				predicted, peak := metrics["predicted_peak_device_bytes"], metrics["peak_device_bytes"]
				if peak > predicted || peak < 0.95*predicted {
					t.Errorf("the peak is %.0f bytes, %.0f were predicted", peak, predicted)
				}
				if last != nil && last["kernel_launches"] != sum {
					t.Errorf("equal proofs launch %d and %d kernels", last["kernel_launches"], sum)
				}
				if counters["hashes"] != want["hashes"] || want["hashes"] == 0 {
					t.Errorf("%d hashes on the device, %d on the CPU", counters["hashes"], want["hashes"])
				}
				last = counters
			}
		})
	}
}

// More instances of the same tables need no more launches to count and to add up.
func TestInstancesShareLaunches(t *testing.T) {
	b := openBackend(t, Options{Seed: 7})
	var instances []int
	var launches []map[string]uint64
	for _, c := range []claim{{"tour", 40, 1}, {"tour", 150, 1}} {
		execution, fillers, params := c.statement(t)
		p, err := prover.New(fillers, params, b, prover.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Prove(t.Context(), whole(execution), nil); err != nil {
			t.Fatal(err, b.Finding())
		}
		_, counters := b.Report()
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		instances, launches = append(instances, len(execution.Instances())), append(launches, counters)
	}
	if instances[0] >= instances[1] {
		t.Fatalf("%v instances, want more of the second claim", instances)
	}
	for _, stage := range []string{"kernel_launches_count", "kernel_launches_logup"} {
		if few, many := launches[0][stage], launches[1][stage]; few != many || few == 0 {
			t.Errorf("%d and %d instances have %d and %d %s", instances[0], instances[1], few, many, stage)
		}
	}
}

// A session keeps everything but the execution's data from one proof to the next.
func TestSessionKeepsTheDeviceWarm(t *testing.T) {
	b := openBackend(t, Options{})
	c := claim{"keccak", 1, 1}
	_, fillers, params := c.statement(t)
	p, err := prover.New(fillers, params, b, prover.Options{Encode: true})
	if err != nil {
		t.Fatal(err)
	}
	var resources int
	var allocated, used uint64
	var last *byte // of the memory that proofs are written to
	for seed := range uint64(3) {
		c.seed = seed + 1
		execution, _, _ := c.statement(t)
		proof, _, err := p.Prove(context.Background(), whole(execution), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := proof.MarshalBinary()
		if err != nil || !bytes.Equal(got, c.onCPU(t)) {
			t.Errorf("proof %d is not the CPU's (%v)", seed, err)
		}
		counters, arena := b.device.Context.Counters(), b.device.Meter.Proving.(*openMachine).arena
		file := proof.Written()
		if !bytes.Equal(file, got) {
			t.Fatalf("proof %d was not written by the device: %d bytes, want %d", seed, len(file), len(got))
		}
		end := &file[:cap(file)][cap(file)-1]
		if seed == 0 {
			last = end
			resources, allocated, used = b.device.Context.OpenResources(), counters.AllocatedBytes, arena.Used()
			continue
		}
		if end != last {
			t.Errorf("proof %d lies in other memory than the first", seed)
		}
		if now := b.device.Context.OpenResources(); now != resources || counters.AllocatedBytes != allocated ||
			counters.PeakBytes != allocated || arena.Used() != used {
			t.Errorf("after proof %d: %d resources, %d bytes allocated, %d taken; after the first %d, %d, %d", seed, now,
				counters.AllocatedBytes, arena.Used(), resources, allocated, used)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if now := b.device.Context.Counters().AllocatedBytes; now != 0 {
		t.Errorf("%d bytes stay allocated", now)
	}
}

// Two provers on one device at the same time keep within their budgets and do not disturb each other.
func TestTwoProversOnOneDevice(t *testing.T) {
	var group sync.WaitGroup
	for i, c := range []claim{{"keccak", 1, 5}, {"fib", 1024, 6}} {
		program, shape := shapeOf(t, c.name, c.size)
		need, err := PredictPeak(program.Fillers(), shape)
		if err != nil {
			t.Fatal(err)
		}
		b := openBackend(t, Options{VRAM: need, Seed: uint64(i + 1)})
		want := c.onCPU(t)
		execution, fillers, params := c.statement(t)
		group.Go(func() {
			for range 3 {
				got, _, err := proofOf(fillers, params, b, execution)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%v: equal to the CPU's: %v, %v", c, bytes.Equal(got, want), err)
				}
			}
			if peak := b.device.Context.Counters().PeakBytes; peak != need {
				t.Errorf("%v: %d bytes allocated under a budget of %d", c, peak, need)
			}
		})
	}
	group.Wait()
}

// Proofs that the device makes from wrong columns are rejected.
func TestCheatingProverIsRejected(t *testing.T) {
	longtest.Only(t)
	comparesOnly(t)
	for _, tc := range []struct {
		claim
		column int // that affects a constraint in every row
	}{{claim{"fib", 32, 1}, 1}, {claim{"tour", 40, 1}, 0}, {claim{"keccak", 1, 1}, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			b := openBackend(t, Options{})
			execution, fillers, params := tc.statement(t)
			rejected := 0
			for instance, of := range execution.Instances() {
				table := fillers.Machine.Tables[of.Table]
				if len(table.Main) < 2 && len(table.Lookups) > 0 {
					continue // only count columns, which do not belong to the execution
				}
				for _, row := range []int{0, 9, 1<<of.LogHeight - 1} {
					cheat := &machine.Mutated{Execution: execution, Change: func(changed int, columns [][]goldilocks.Element) {
						if changed == instance {
							cell := &columns[min(tc.column, len(columns)-1)][row]
							*cell = cell.Add(1)
						}
					}}
					data, _, err := proofOf(fillers.Mutable(), params, b, cheat)
					if errors.Is(err, backend.ErrLookupMiss) {
						rejected++ // a message without an entry has no count
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					_, err = prover.Verify(t.Context(), data, tc.accepting(t))
					var reject *verify.RejectError
					if !errors.As(err, &reject) {
						t.Errorf("table %s, row %d: %v, want a rejection", table.Name, row, err)
						continue
					}
					rejected++
				}
			}
			if rejected == 0 {
				t.Error("no lie was told")
			}
		})
	}
}

// TestRandomInputs compares proofs of random sizes and inputs. On a GPU every second is of keccak; on the software
// device, where one takes as long as thirty of fib, every sixteenth. Of the others every second is a tour.
func TestRandomInputs(t *testing.T) {
	longtest.Only(t)
	b := openBackend(t, Options{})
	count, every := *randomInputs, 2
	if b.device.Options.Device == Software {
		every = 16
	}
	if testing.Short() {
		count = min(count, 10)
	}
	for i := range count {
		c := claim{"fib", 32 << (i % 5), uint64(1000 + i)}
		switch {
		case i%every == 1:
			c.name, c.size = "keccak", 1+i/every%5
		case i%4 == 2 || i%4 == 3:
			c.name, c.size = "tour", 37*i%500
		}
		c.compare(t, b)
	}
}

// Proofs of protocol 3 equal the CPU's too, even if memory is short, and verify. The device samples FRI's challenges.
func TestParityWithBLAKE3(t *testing.T) {
	for _, lean := range []bool{false, true} {
		t.Run(fmt.Sprintf("lean %t", lean), func(t *testing.T) {
			if lean {
				little(t, true)
			}
			for i, c := range []claim{{"tour", 40, 2}, {"fib", 32, 1}, {"keccak", 1, 1}} {
				if lean && i > 0 {
					continue // tour has every kind of column
				}
				execution, fillers, params := c.statement(t)
				params.Hash = merkle.Blake3
				b := openBackend(t, Options{Seed: uint64(i)})
				got, _, err := proofOf(fillers, params, b, execution)
				if err != nil {
					t.Fatal(err, b.Finding())
				}
				want, _, err := proofOf(fillers, params, cpu.New(parallel.New(0)), execution)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%v: the proof differs from the CPU's from byte %d: %v", c, firstDifference(got, want), err)
				}
				if _, err := prover.Verify(t.Context(), got, c.accepting(t)); err != nil {
					t.Errorf("%v: %v", c, err)
				}
			}
		})
	}
}
