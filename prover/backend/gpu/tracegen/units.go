package tracegen

import (
	"embed"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/machine"
)

//go:embed *.cu *.cuh
var files embed.FS

// Units are the kernel files that fill a machine's tables.
func Units(m *machine.Machine) ([]compile.Unit, error) {
	var units []compile.Unit
	for _, table := range m.Tables {
		for _, g := range []*Generator{Main(m, table), Preprocessed(m, table)} {
			if g == nil {
				continue
			}
			unit, err := g.unit()
			if err != nil {
				return nil, fmt.Errorf("table %s: %w", table.Name, err)
			}
			units = append(units, unit)
		}
	}
	return units, nil
}

func (g *Generator) unit() (compile.Unit, error) {
	source, err := files.ReadFile(g.file)
	if err != nil {
		return compile.Unit{}, err
	}
	words, err := files.ReadFile("words.cuh")
	unit := kernels.Generated("trace_"+g.file, string(source))
	unit.Headers["words.cuh"] = string(words)
	return unit, err
}
