package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
)

func (p *program) paramsCommand() *cobra.Command {
	var presetName string
	var work *analyzed
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "params [--machine NAME --size N | --machine rv64im --cycles N | --elf PROGRAM.elf [--input FILE]]",
		Short: "Print the parameters, and the bits they prove, term by term",
		Long: `Print the parameters, and the bits they prove for a machine and size: every term with its
formula, its theorem and where that is published. docs/spec/soundness.md derives them.

For proofs of programs, --elf analyzes the program's run; with --cycles, a run of that length with the same
proportions. --cycles alone analyzes a run of an ordinary mix of instructions (30 % add, 25 % load and store, 15 %
branch, 10 % shift, 3 % multiply, 0.12 words of memory touched a cycle), of the largest program with the longest
public input and output.`,
		Args: Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			presets := protocol.Presets()
			if cmd.Flags().Changed("params") {
				preset, err := protocol.PresetByName(presetName)
				if err != nil {
					return Usagef("--params: %w", err)
				}
				presets = []protocol.Preset{preset}
			}
			for i := range presets {
				var err error
				if presets[i], err = withHash(cmd.Flags(), presets[i]); err != nil {
					return err
				}
			}
			ctx, stop := p.interruptible()
			defer stop()
			shape, err := work.shape(ctx, p)
			if err != nil {
				return err
			}
			analyses, err := analyzePresets(presets, shape)
			if errors.Is(err, run.ErrTooLarge) && work.set.Changed("cycles") {
				return fmt.Errorf("--cycles %d: %w", work.cycles, err)
			}
			if err != nil {
				return err
			}
			if asJSON {
				encoder := json.NewEncoder(p.stdout)
				encoder.SetIndent("", " ")
				return encoder.Encode(analyses)
			}
			return p.printParams(analyses, shape.program.Machine().Unit)
		},
	}
	addParamsFlag(cmd.Flags(), &presetName)
	cmd.Flags().Lookup("params").Usage = "only the parameters `NAME` (default: all)"
	work = addAnalyzedFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// analysis is a preset's proven bits for a machine and size.
type analysis struct {
	Preset    string             `json:"preset"`
	Use       string             `json:"use"`
	Params    protocol.Params    `json:"params"`
	Machine   string             `json:"machine"`
	Size      int                `json:"size"`
	Instances []instance         `json:"instances"`
	Bits      int                `json:"bits"`
	Regimes   []soundness.Regime `json:"regimes"`
}

// instance describes one of a proof's instances for the report.
type instance struct {
	Table     string `json:"table"`
	LogHeight int    `json:"log_height"`
}

func named(m *circuit.Machine, instances []circuit.Instance) []instance {
	list := make([]instance, len(instances))
	for i, in := range instances {
		list[i] = instance{m.Tables[in.Table].Name, in.LogHeight}
	}
	return list
}

func analyzePresets(presets []protocol.Preset, shape *proofShape) ([]analysis, error) {
	var list []analysis
	m := shape.program.Machine()
	for _, preset := range presets {
		instances, err := shape.instances(preset.Params.MinLogHeight)
		if err != nil {
			return nil, err
		}
		report, err := protocol.SecurityOf(m, preset.Params, instances, shape.public)
		if err != nil {
			return nil, err
		}
		list = append(list, analysis{preset.Name, preset.Use, preset.Params, m.Name, shape.size, named(m, instances),
			report.Bits(), report.Regimes})
	}
	return list, nil
}

func (p *program) printParams(analyses []analysis, unit string) error {
	for i, a := range analyses {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		fmt.Fprintf(p.stdout, "%s: %s\n%s\nmachine %s, size %d (%s), %s: %d proven bits\n",
			a.Preset, a.Use, a.Params, a.Machine, a.Size, unit, heightsText(a.Instances), a.Bits)
		for _, regime := range a.Regimes {
			if err := p.printRegime(regime); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(p.stdout, "\nThe proven bits are the least of the best regime, at most %d: collisions of the hash "+
		"function.\nSources\n", soundness.HashBits)
	for _, s := range soundness.Sources() {
		fmt.Fprintf(p.stdout, "  [%s] %s. %s.\n", s.Tag, s.Title, s.Where)
	}
	return nil
}

// heightsText describes the number of instances and their heights.
func heightsText(list []instance) string {
	heights := map[int]bool{}
	for _, i := range list {
		heights[i.LogHeight] = true
	}
	sorted := slices.Sorted(maps.Keys(heights))
	if len(sorted) == 1 {
		return fmt.Sprintf("one height, 2^%d rows", sorted[0])
	}
	return fmt.Sprintf("%d instances of %d heights, 2^%d to 2^%d rows", len(list), len(sorted), sorted[0],
		sorted[len(sorted)-1])
}

func (p *program) printRegime(r soundness.Regime) error {
	if r.Why != "" {
		_, err := fmt.Fprintf(p.stdout, "\n  %s: %s\n", r.Name, r.Why)
		return err
	}
	multiplicity := ""
	if r.Multiplicity > 0 {
		multiplicity = fmt.Sprintf("m = %d, ", r.Multiplicity)
	}
	fmt.Fprintf(p.stdout, "\n  %s: %.1f bits (%salpha = %.6f, L = %.1f)\n    g(n) = %s\n", r.Name, r.Bits, multiplicity,
		r.Alpha, r.ListSize, r.Gap)
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, term := range r.Terms {
		source := []string{term.Source}
		for _, other := range term.Others {
			source = append(source, fmt.Sprintf("%s alone would give %.1f", other.Source, other.Bits))
		}
		fmt.Fprintf(out, "    %s\t%6.1f\t%s\t%s\t[%s]\n", term.Round, term.Bits, term.Detail, term.Formula,
			strings.Join(source, "; "))
	}
	return out.Flush()
}
