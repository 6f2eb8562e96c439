package stark

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Key is what prover and verifier know of a machine before any proof. It is
// derived from the machine and the parameters, never read from a proof.
type Key struct {
	Machine         *machine.Machine
	Params          Params
	PreprocessedCap []merkle.Digest // nil for a machine without preprocessed columns
	Digest          merkle.Digest   // Keccak256 of the machine's canonical form and PreprocessedCap
}

// NewKey derives the key: it extends and commits to the preprocessed columns,
// which belong to small tables of fixed height.
func NewKey(m *machine.Machine, params Params) (*Key, error) {
	if err := errors.Join(m.Validate(), params.Validate()); err != nil {
		return nil, err
	}
	for _, table := range m.Tables {
		if fixed := table.MaxLogHeight; fixed < params.MinLogHeight {
			return nil, fmt.Errorf("machine %s: table %s has at most 2^%d rows, and the parameters ask for at least 2^%d", m.Name, table.Name, fixed, params.MinLogHeight)
		}
	}
	key := &Key{Machine: m, Params: params}
	if backend.Present(m, backend.Preprocessed) {
		var err error
		if key.PreprocessedCap, err = preprocessedCap(m, params); err != nil {
			return nil, err
		}
	}
	key.Digest = keccak.Sum256(appendDigests(m.Canonical(), key.PreprocessedCap))
	return key, nil
}

func preprocessedCap(m *machine.Machine, params Params) ([]merkle.Digest, error) {
	pool := parallel.New(0)
	var matrices []merkle.Matrix
	for _, i := range backend.Matrices(m, backend.Preprocessed) {
		extensions := m.Tables[i].PreprocessedColumns()
		for j, column := range extensions {
			extensions[j] = append(column, make([]goldilocks.Element, len(column)<<params.LogBlowup-len(column))...)
		}
		ntt.Extend(pool, extensions, params.LogBlowup)
		matrices = append(matrices, extensions)
	}
	tree, err := merkle.Build(pool, matrices, params.CapHeight)
	if err != nil {
		return nil, fmt.Errorf("preprocessed columns of machine %s: %w", m.Name, err)
	}
	return tree.Cap(), nil
}

// Shape is the shape of a proof with these heights.
func (k *Key) Shape(logHeights []int) backend.Shape {
	logSizes := make([]int, len(logHeights))
	for i, h := range logHeights {
		logSizes[i] = h + k.Params.LogBlowup
	}
	return backend.Shape{
		Machine:    k.Machine,
		LogHeights: logHeights,
		LogBlowup:  k.Params.LogBlowup,
		CapHeight:  k.Params.CapHeight,
		Schedule:   fri.Schedule(logSizes, k.Params.LogArity, k.Params.LogFinalLength+k.Params.LogBlowup),
	}
}

// CheckHeights checks that every table is there at a height that the machine
// and the parameters allow.
func (k *Key) CheckHeights(logHeights []int) error {
	if err := k.Machine.CheckLogHeights(logHeights); err != nil {
		return err
	}
	for i, table := range k.Machine.Tables {
		low, high := k.Params.MinLogHeight, MaxLogDomain-k.Params.LogBlowup
		if h := logHeights[i]; h < low || h > high {
			return fmt.Errorf("machine %s, table %s: log height is %d, the parameters allow %d to %d", k.Machine.Name, table.Name, h, low, high)
		}
	}
	return nil
}
