package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/soundness"
	"github.com/chiasmus/chiasmus/prover/stark"
)

func (p *program) paramsCommand() *cobra.Command {
	var presetName, machineName string
	var size int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "params",
		Short: "Print the parameters, and the bits they prove term by term",
		Long: `Print the parameters, and the bits they prove for a machine and size: every term with its
formula, its theorem and where that is published. docs/soundness.md derives them.`,
		Args: Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			presets := stark.Presets()
			if cmd.Flags().Changed("params") {
				preset, err := stark.PresetByName(presetName)
				if err != nil {
					return Usagef("--params: %w", err)
				}
				presets = []stark.Preset{preset}
			}
			program, err := all.Lookup(machineName)
			if err != nil {
				return Usagef("--machine: %w", err)
			}
			if size < 1 {
				return Usagef("--size is %d, want at least 1", size)
			}
			analyses, err := analyzePresets(presets, program, size)
			if err != nil {
				return err
			}
			if asJSON {
				encoder := json.NewEncoder(p.stdout)
				encoder.SetIndent("", " ")
				return encoder.Encode(analyses)
			}
			return p.printParams(analyses, program.Machine().Unit)
		},
	}
	addParamsFlag(cmd.Flags(), &presetName)
	cmd.Flags().StringVar(&machineName, "machine", "keccak", "the machine whose proofs are analyzed: `NAME`")
	cmd.Flags().IntVar(&size, "size", 16384, "their size in the machine's units: `N`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// analysis is one preset's bits for a machine and size.
type analysis struct {
	Preset    string             `json:"preset"`
	Use       string             `json:"use"`
	Params    stark.Params       `json:"params"`
	Machine   string             `json:"machine"`
	Size      int                `json:"size"`
	Instances []instance         `json:"instances"`
	Bits      int                `json:"bits"`
	Regimes   []soundness.Regime `json:"regimes"`
}

// instance is one of a proof's, for people.
type instance struct {
	Table     string `json:"table"`
	LogHeight int    `json:"log_height"`
}

func named(m *machine.Machine, instances []machine.Instance) []instance {
	list := make([]instance, len(instances))
	for i, in := range instances {
		list[i] = instance{m.Tables[in.Table].Name, in.LogHeight}
	}
	return list
}

// zeroPublic stands for what a proof will state where its values do not matter.
func zeroPublic(program machine.Program) machine.Public {
	return machine.Public{Values: make([]goldilocks.Element, len(program.Machine().PublicNames))}
}

func analyzePresets(presets []stark.Preset, program machine.Program, size int) ([]analysis, error) {
	var list []analysis
	for _, preset := range presets {
		instances, err := estimate(program, size, preset.Params.MinLogHeight)
		if err != nil {
			return nil, err
		}
		key, err := stark.NewKey(program.Machine(), preset.Params)
		if err != nil {
			return nil, err
		}
		report, err := key.Security(instances, zeroPublic(program))
		if err != nil {
			return nil, err
		}
		list = append(list, analysis{preset.Name, preset.Use, preset.Params, program.Machine().Name, size, named(program.Machine(), instances), report.Bits(), report.Regimes})
	}
	return list, nil
}

func (p *program) printParams(analyses []analysis, unit string) error {
	for i, a := range analyses {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		fmt.Fprintf(p.stdout, "%s: %s\n%s\nmachine %s, size %d (%s): %d proven bits\n", a.Preset, a.Use, a.Params, a.Machine, a.Size, unit, a.Bits)
		for _, regime := range a.Regimes {
			if err := p.printRegime(regime); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(p.stdout, "\nThe proven bits are the least of the best regime, at most %d: collisions of Keccak-256.\nSources\n", soundness.HashBits)
	for _, s := range soundness.Sources() {
		fmt.Fprintf(p.stdout, "  [%s] %s. %s.\n", s.Tag, s.Title, s.Where)
	}
	return nil
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
	fmt.Fprintf(p.stdout, "\n  %s: %.1f bits (%salpha = %.6f, L = %.1f)\n    g(n) = %s\n", r.Name, r.Bits, multiplicity, r.Alpha, r.ListSize, r.Gap)
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, term := range r.Terms {
		source := []string{term.Source}
		for _, other := range term.Others {
			source = append(source, fmt.Sprintf("%s alone would give %.1f", other.Source, other.Bits))
		}
		fmt.Fprintf(out, "    %s\t%6.1f\t%s\t%s\t[%s]\n", term.Round, term.Bits, term.Detail, term.Formula, strings.Join(source, "; "))
	}
	return out.Flush()
}
