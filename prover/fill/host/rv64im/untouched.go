package rv64im

import (
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// UntouchedAsks returns the lookups of a boundary of 2^log rows whose words were not touched.
func UntouchedAsks(declared *rv64im.Declared, log int) ([]air.Message, error) {
	rows, err := boundaryOf(new(record.Set), log)
	if err != nil {
		return nil, err
	}
	gaps := map[uint32]goldilocks.Element{}
	for _, r := range rows {
		gaps[r.gap]++
	}
	var list []air.Message
	for _, gap := range slices.Sorted(maps.Keys(gaps)) {
		list = append(list, air.Message{
			Bus:          declared.Gaps(),
			Kind:         air.Send,
			Multiplicity: gaps[gap],
			Values:       []goldilocks.Element{element(uint64(gap))},
		})
	}
	return list, nil
}
