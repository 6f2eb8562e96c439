package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// nodes proves runs of the aggregator on one device: an [aggregate.Prover].
type nodes struct {
	p       *program
	quiet   bool
	chosen  *Backend
	guest   *riscv.Program
	presets []protocol.Preset // each for nodes that do not fit with those before
	used    int               // the engine's
	pool    *parallel.Pool
	engine  *engine
	kept    *keptNodes

	planned [sha256.Size]byte // the input that fits, as was found last
	made    int               // nodes that were proven
	found   int               // nodes that were kept from an earlier run
}

var _ aggregate.Prover = (*nodes)(nil)

func (p *program) openNodes(run *aggregateRun) (n *nodes, err error) {
	n = &nodes{p: p, quiet: run.quiet, kept: &keptNodes{folder: run.keepPath}}
	for _, name := range run.presets {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			return nil, Usagef("--params: %w", err)
		}
		n.presets = append(n.presets, preset)
	}
	if n.guest, err = riscv.New(guests.Aggregator()); err != nil {
		return nil, err
	}
	options, err := p.check(run.backends)
	if err != nil {
		return nil, err
	}
	n.pool = options.Pool
	chosen, devices, err := p.openDevices(run.backends, "")
	if err != nil {
		return nil, err
	}
	n.chosen = chosen
	if err := n.use(0, devices[0]); err != nil {
		return nil, errors.Join(err, shutdown(devices))
	}
	return n, nil
}

// use prepares the engine for a preset.
func (n *nodes) use(number int, on backend.Backend) error {
	preset := n.presets[number]
	if preset.Bits < 128 {
		return Usagef("--params %s proves %d bits, and an aggregation takes proofs of 128", preset.Name, preset.Bits)
	}
	key, err := setup.NewKey(n.guest.Machine(), preset.Params)
	if err != nil {
		return err
	}
	// Each instance costs the verifier of the node: nodes are compact whatever the parameters.
	work := &workload{program: n.guest, params: preset.Params, compact: true, minBits: preset.Bits, pool: n.pool}
	work.guest.elfPath, work.guest.maxCycles = "the aggregator", rv64im.MaxCycles
	n.used = number
	n.engine = &engine{work: work, backend: on, key: key, log: n.p.stderr}
	n.engine.prover = n.engine.newProver(on)
	return nil
}

// Use takes a preset by its number.
func (n *nodes) Use(number int) (bool, error) {
	switch {
	case number >= len(n.presets):
		return false, nil
	case number == n.used:
		return true, nil
	}
	on := n.engine.backend
	if err := n.engine.prover.Close(); err != nil {
		return false, err
	}
	return true, n.use(number, on)
}

// Fits returns an error that wraps a *backend.MemoryError if a proof of the aggregator's run on an input does not fit.
func (n *nodes) Fits(ctx context.Context, input []byte) error {
	name := n.name(input)
	if n.planned == name {
		return nil
	}
	err := n.fits(ctx, input)
	if err == nil {
		n.planned = name
	}
	return err
}

func (n *nodes) fits(ctx context.Context, input []byte) error {
	e := n.engine
	e.work.input = input
	var noted strings.Builder
	asked := e.work.inputOf(0)
	asked.Plan = true
	asked.Note = func(text []byte) { noted.Write(text) }
	r, err := e.work.program.Run(ctx, asked)
	var limit *emulator.LimitError
	switch {
	case errors.As(err, &limit):
		return fmt.Errorf("%w: %w", aggregate.ErrTooLarge, err)
	case err != nil:
		return fmt.Errorf("the aggregator: %w", err)
	}
	public := r.Public()
	run, err := statement.Read(public)
	if err != nil {
		return err
	}
	if run.Exit != 0 {
		return fmt.Errorf("the aggregator refuses it (verdict %d): %s", run.Exit, noted.String())
	}
	if err := e.prover.Check(r.Instances[0], public); err != nil {
		return fmt.Errorf("%w: its verification takes %d cycles: %w", aggregate.ErrTooLarge, run.Cycles, err)
	}
	err = fits(n.chosen, e.work.program.Fillers(), e.key, r.Instances[0])
	if err == nil {
		_, err = e.prover.Peak(r.Instances[0])
	}
	if err != nil {
		return fmt.Errorf("its verification takes %d cycles, proven with %s: %w", run.Cycles, n.presets[n.used].Name, err)
	}
	return nil
}

// Prove proves the aggregator's run on an input, unless its proof is kept.
func (n *nodes) Prove(ctx context.Context, what string, input []byte) ([]byte, error) {
	if proof := n.kept.get(ctx, n.name(input)); proof != nil {
		n.found++
		n.say("%s: kept in %s", what, n.kept.folder)
		return proof, nil
	}
	if err := n.Fits(ctx, input); err != nil {
		return nil, err
	}
	begin := time.Now()
	n.engine.work.input = input
	bar := newProgress(n.p.stderr, n.quiet)
	result, err := n.engine.prove(ctx, 0, begin, bar.stage, nil)
	bar.done()
	if err != nil {
		return nil, err
	}
	proof := bytes.Clone(result.encoded)
	if err := n.kept.put(n.name(input), proof); err != nil {
		return nil, err
	}
	n.made++
	n.say("%s: %d cycles in %.3f s (%s), %s", what, result.Counters["cycles"], time.Since(begin).Seconds(),
		n.presets[n.used].Name, bytesText(uint64(len(proof))))
	return proof, nil
}

// say reports a node, which may take minutes.
func (n *nodes) say(format string, args ...any) {
	if !n.quiet {
		fmt.Fprintf(n.p.stderr, "node %d: %s\n", n.made+n.found, fmt.Sprintf(format, args...))
	}
}

// name is the digest of all that decides a node's proof.
func (n *nodes) name(input []byte) [sha256.Size]byte {
	h := sha256.New()
	id := aggregate.ID()
	fmt.Fprintf(h, "%x %v\n", id, n.engine.work.params)
	h.Write(input)
	return [sha256.Size]byte(h.Sum(nil))
}

func (n *nodes) close() error { return n.engine.close() }

// keptNodes are the finished nodes of an aggregation that is not finished: a file for each.
type keptNodes struct {
	folder string
	paths  []string // of the nodes of this aggregation
}

func (k *keptNodes) path(name [sha256.Size]byte) string {
	return filepath.Join(k.folder, fmt.Sprintf("%x.proof", name))
}

// get returns a kept proof, if it is there and valid.
func (k *keptNodes) get(ctx context.Context, name [sha256.Size]byte) []byte {
	proof, err := readFile(k.path(name), maxProofBytes)
	if err != nil {
		return nil
	}
	id := aggregate.ID()
	if _, err := verify.Verify(ctx, proof, verify.Options{Find: known.Find(&id)}); err != nil {
		return nil
	}
	k.paths = append(k.paths, k.path(name))
	return proof
}

func (k *keptNodes) put(name [sha256.Size]byte, proof []byte) error {
	if err := os.MkdirAll(k.folder, 0o755); err != nil {
		return err
	}
	k.paths = append(k.paths, k.path(name))
	return writeWhole(k.path(name), proof)
}

// remove removes the nodes, and the folder if nothing else is there.
func (k *keptNodes) remove() (err error) {
	for _, path := range k.paths {
		if failed := os.Remove(path); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	if entries, failed := os.ReadDir(k.folder); failed == nil && len(entries) == 0 {
		err = errors.Join(err, os.Remove(k.folder))
	}
	return err
}
