package cli

import (
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

func (p *program) machinesCommand() *cobra.Command {
	var verbose bool
	var canonical string
	cmd := &cobra.Command{
		Use:   "machines",
		Short: "List what can be proven",
		Args:  Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("canonical") {
				return p.writeCanonical(canonical)
			}
			out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			for i, name := range all.MachineNames() {
				m, err := all.Machine(name)
				if err != nil {
					return err
				}
				if verbose && i > 0 {
					fmt.Fprintln(out)
				}
				fmt.Fprintf(out, "%s\t%s (sizes count: %s)\t%s\n", m.Name, m.Description, m.Unit, howToProve(name))
				if verbose {
					printTables(out, m)
				}
			}
			return out.Flush()
		},
	}
	cmd.Flags().StringVar(&canonical, "canonical", "",
		"write the canonical form of the machine `NAME`, bytes that docs/spec/protocol.md describes, to stdout")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "print each table: columns, constraints, heights and instances")
	return cmd
}

// howToProve returns the flags of prove that select the machine.
func howToProve(name string) string {
	if all.OfPrograms(name) {
		return "prove --elf PROGRAM.elf"
	}
	return "prove --machine " + name
}

// writeCanonical writes a machine's canonical form, for authors of other verifiers.
func (p *program) writeCanonical(name string) error {
	m, err := all.Machine(name)
	if err != nil {
		return Usagef("--canonical: %w", err)
	}
	_, err = p.stdout.Write(m.Canonical())
	return err
}

// printTables prints one machine's tables. Columns are base-field columns.
func printTables(out *tabwriter.Writer, m *circuit.Machine) {
	out.Flush() // the list above is aligned separately
	fmt.Fprintf(out, "  table\tmain\tpreprocessed\tauxiliary\tnext row\tconstraints\tinteractions\tdegree\tlog "+
		"height\tinstances\n")
	for _, t := range m.Summary() {
		height := fmt.Sprintf("%d to %d", t.MinLogHeight, t.MaxLogHeight)
		if t.MinLogHeight == t.MaxLogHeight {
			height = fmt.Sprintf("%d (fixed)", t.MinLogHeight)
		}
		instances := strconv.Itoa(t.MinInstances)
		if t.MaxInstances > t.MinInstances {
			instances = fmt.Sprintf("%d to %d", t.MinInstances, t.MaxInstances)
		}
		fmt.Fprintf(out, "  %s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", t.Name, t.MainColumns, t.PreprocessedColumns,
			t.AuxiliaryColumns,
			t.NextColumns, t.Constraints, t.Interactions, t.Degree, height, instances)
	}
	out.Flush()
}
