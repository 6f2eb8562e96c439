package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Backend computes proofs on the host's cores.
type Backend struct {
	backend.Host
	pool   *parallel.Pool
	once   bool
	ahead  *compilation  // begun by Prepare, for the next Open; nil for none
	hashed atomic.Uint64 // permutations in the trees of the last proof
}

var _ backend.Backend = (*Backend)(nil)

// New returns a backend that runs its loops on the pool.
func New(pool *parallel.Pool) *Backend { return &Backend{pool: pool} }

// NewOnce returns a backend for a process that makes one proof. It frees memory as soon as the proof no longer needs
// it, which lowers the peak. Further proofs are possible, but allocate their memory again.
func NewOnce(pool *parallel.Pool) *Backend { return &Backend{pool: pool, once: true} }

// Prepare begins to compile the graphs of a machine for which [Backend.Open] will be called. Open begins it otherwise.
func (b *Backend) Prepare(m *circuit.Machine) { b.ahead = beginCompiling(b.pool, m) }

// Name is "cpu".
func (b *Backend) Name() string { return "cpu" }

// Device returns the platform and the number of workers.
func (b *Backend) Device() string {
	return fmt.Sprintf("%s/%s, %s", runtime.GOOS, runtime.GOARCH, plural.Of(b.pool.Workers(), "worker"))
}

// Report returns the number of permutations in the trees that the last proof commits to. It excludes grinding, whose
// duration is random, and opening, which recomputes the digests that were not stored.
func (b *Backend) Report() (metrics map[string]float64, counters map[string]uint64) {
	return nil, map[string]uint64{"hashes": b.hashed.Load()}
}

// build builds a tree over the columns of a phase or of an FRI layer, and counts the permutations.
func (p *prover) build(phase protocol.Phase, matrices []merkle.Matrix) (*merkle.Tree, error) {
	kind := merkle.Kind{Hash: p.params.Hash, Extension: phase == noPhase}
	tree, err := merkle.Build(p.pool, kind, matrices, p.params.CapHeight)
	if err == nil {
		p.backend.hashed.Add(tree.Shape().Permutations())
	}
	return tree, err
}

// prover is the backend opened for a machine. It holds what all proofs share.
type prover struct {
	backend  *Backend
	pool     *parallel.Pool
	once     bool
	pages    pageSize // used only if once
	machine  *circuit.Machine
	fillers  *machine.Fillers
	params   protocol.Layout
	limit    uint64 // of memory, in bytes; 0 if unknown
	programs []*tableProgram

	preprocessed [protocol.PhaseCount]*preprocessed // of the phases Fixed and Program; nil if absent
	memory       *memory

	active *proof
	closed bool
}

// Open compiles the machine's graphs, commits to the preprocessed columns and allocates the memory of the proof to
// reserve for. These steps run concurrently where cores are idle.
func (b *Backend) Open(fillers *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover,
	error) {
	p := &prover{backend: b, pool: b.pool, once: b.once, machine: fillers.Machine, fillers: fillers, params: params,
		limit: budget.Limit, memory: new(memory)}
	if host := hostMemory(); p.limit == 0 || host != 0 && host < p.limit {
		p.limit = host
	}
	runtime.AddCleanup(p, (*memory).release, p.memory)
	compiling := b.ahead
	if b.ahead = nil; compiling == nil || compiling.machine != fillers.Machine {
		compiling = beginCompiling(p.pool, fillers.Machine)
	}
	p.programs = compiling.programs
	err := p.prepare(budget.Reserve)
	compiling.done.Wait()
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func (p *prover) prepare(reserve []circuit.Instance) error {
	if reserve != nil {
		if _, err := p.Peak(reserve); err != nil {
			return fmt.Errorf("reserve: %w", err)
		}
	}
	if need := heldBytes(p.machine, p.params); p.limit > 0 && need > p.limit {
		return &backend.MemoryError{NeedBytes: need, HaveBytes: p.limit}
	}
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program} {
		if err := p.commitPreprocessed(phase); err != nil {
			return err
		}
	}
	if reserve != nil {
		p.memory.reserve(layoutOf(protocol.NewShape(p.machine, p.params, reserve)))
		if !p.once {
			populate(p.pool, p.memory.arena.words)
		}
	}
	return nil
}

// preprocessed holds preprocessed columns by table, and the tree over them.
type preprocessed struct {
	tree    *merkle.Tree
	columns [][][]goldilocks.Element // extensions
	values  [][][]goldilocks.Element // over the trace domain; nil once freed
}

// commitPreprocessed fills, extends and commits to the preprocessed columns of a phase.
func (p *prover) commitPreprocessed(phase protocol.Phase) error {
	var matrices []matrixSize
	for _, t := range p.machine.Tables {
		width := protocol.Width(t, phase)
		if width > 0 && t.FillPreprocessed == nil {
			return fmt.Errorf("table %s: nothing fills its %s columns; only a verifier can do without", t.Name, phase)
		}
		matrices = append(matrices, matrixSize{width, t.PreprocessedLogHeight + p.params.LogBlowup})
	}
	made := &preprocessed{columns: layOut(p.memory.take(p.pool, elementsOf(matrices)), matrices)}
	p.fillValues(phase, made)
	for i, values := range made.values {
		p.pool.Each(len(values), func(j int) { copy(made.columns[i][j], values[j]) })
	}
	tree, err := p.commit(phase, made.columns, ntt.Extend)
	if err != nil || tree == nil {
		return err
	}
	made.tree = tree
	p.preprocessed[phase] = made
	return nil
}

// fillValues fills the columns of a phase over the trace domain.
func (p *prover) fillValues(phase protocol.Phase, to *preprocessed) {
	var sizes []matrixSize
	for _, t := range p.machine.Tables {
		sizes = append(sizes, matrixSize{protocol.Width(t, phase), t.PreprocessedLogHeight})
	}
	room := &p.memory.values[phase]
	*room = allocate(elementsOf(sizes))
	populate(p.pool, room.words)
	to.values = layOut(room.words, sizes)
	p.pool.Each(len(sizes), func(i int) {
		if sizes[i].width > 0 {
			p.machine.Tables[i].FillPreprocessed(to.values[i])
		}
	})
}

// dropValues frees what fillValues allocated.
func (p *prover) dropValues() {
	for phase, made := range p.preprocessed {
		if made != nil {
			made.values = nil
			p.memory.values[phase].release()
			p.memory.values[phase] = region{}
		}
	}
}

// commit extends columns with one of package ntt's functions and builds the tree over them. It returns nil if there are
// no columns.
func (p *prover) commit(phase protocol.Phase, columns [][][]goldilocks.Element,
	extend func(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int)) (*merkle.Tree, error) {
	var matrices []merkle.Matrix
	for _, extensions := range columns {
		if len(extensions) > 0 {
			extend(p.pool, extensions, p.params.LogBlowup)
			matrices = append(matrices, extensions)
		}
	}
	if matrices == nil {
		return nil, nil
	}
	tree, err := p.build(phase, matrices)
	if err != nil {
		return nil, fmt.Errorf("commit to the %s columns: %w", phase, err)
	}
	return tree, nil
}

func (p *prover) Caps() (fixed, program []merkle.Digest) {
	if made := p.preprocessed[protocol.Fixed]; made != nil {
		fixed = made.tree.Cap()
	}
	if made := p.preprocessed[protocol.Program]; made != nil {
		program = made.tree.Cap()
	}
	return fixed, program
}

func (p *prover) Peak(instances []circuit.Instance) (uint64, error) {
	if err := p.machine.CheckInstances(instances); err != nil {
		return 0, err
	}
	need := p.peakBytes(protocol.NewShape(p.machine, p.params, instances))
	if p.limit > 0 && need > p.limit {
		return need, &backend.MemoryError{NeedBytes: need, HaveBytes: p.limit}
	}
	return need, nil
}

func (p *prover) Begin(instances []circuit.Instance) (backend.Proof, error) {
	switch {
	case p.closed:
		return nil, fmt.Errorf("begin a proof: the prover is closed: %w", backend.ErrOrder)
	case p.active != nil:
		return nil, fmt.Errorf("begin a proof: the last one is not closed: %w", backend.ErrOrder)
	}
	if _, err := p.Peak(instances); err != nil {
		return nil, err
	}
	p.backend.hashed.Store(0)
	p.active = newProof(p, protocol.NewShape(p.machine, p.params, instances))
	return p.active, nil
}

func (p *prover) Close() error {
	if p.active != nil {
		p.active.Close()
	}
	p.closed = true
	p.preprocessed = [protocol.PhaseCount]*preprocessed{}
	p.memory.release()
	return nil
}

// tableProgram is a table with its graph compiled for the two domains, and the working memory of its evaluators.
type tableProgram struct {
	table        *air.Table
	interactions *tape.Tape // over the trace domain
	all          *tape.Tape // over the quotient's coset
	kept         []int      // main columns that the interactions read
	lookups      []int      // interactions that send on lookup buses
	traceRows    int        // the most rows of a block over the trace domain

	logUpBlocks    *freeList[*logUpBlock]
	quotientBlocks *freeList[*quotientBlock]
}

func newPrograms(m *circuit.Machine) []*tableProgram {
	programs := make([]*tableProgram, len(m.Tables))
	for i, t := range m.Tables {
		p := &tableProgram{table: t}
		p.kept = protocol.KeptColumns(t, protocol.Main)
		for k, interaction := range t.Interactions {
			if interaction.Bus.Kind == air.Lookup && interaction.Kind == air.Send {
				p.lookups = append(p.lookups, k)
			}
		}
		p.logUpBlocks = newFreeList(func() *logUpBlock { return newLogUpBlock(p) })
		p.quotientBlocks = newFreeList(func() *quotientBlock { return newQuotientBlock(p) })
		programs[i] = p
	}
	return programs
}

// compilation is the compilation of a machine's graphs, which may be running.
type compilation struct {
	machine  *circuit.Machine
	programs []*tableProgram
	done     sync.WaitGroup
}

// beginCompiling begins to compile the graphs of all tables.
func beginCompiling(pool *parallel.Pool, m *circuit.Machine) *compilation {
	c := &compilation{machine: m, programs: newPrograms(m)}
	c.done.Go(func() { compile(pool, c.programs) })
	return c
}

// compile compiles both graphs of all tables in parallel.
func compile(pool *parallel.Pool, programs []*tableProgram) {
	pool.Each(2*len(programs), func(k int) {
		if program := programs[k/2]; k%2 == 0 {
			program.all = tape.Compile(program.table, tape.ConstraintPart|tape.InteractionPart)
		} else {
			program.interactions = tape.Compile(program.table, tape.InteractionPart)
			program.traceRows = traceRows(program.table, program.interactions)
		}
	})
}
