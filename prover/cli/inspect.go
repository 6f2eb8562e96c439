package cli

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

func (p *program) inspectCommand() *cobra.Command {
	var numbers []int
	var path string
	cmd := &cobra.Command{
		Use:   "inspect PROOF",
		Short: "Print a proof's header and the sizes of its parts, unchecked",
		Long: `Print what a proof states, and the sizes of its parts, without checking the proof. For an aggregated proof, print
the tree of its statements.

With --open and --opening, write an opening of an aggregated proof: it shows some runs and hides the others. prover
verify takes it like the proof itself.`,
		Args: Exactly("PROOF"),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := readFile(args[0], maxProofBytes)
			if err != nil {
				return &usageError{err}
			}
			if len(numbers) > 0 || path != "" {
				return p.open(args[0], data, numbers, path)
			}
			if aggregate.IsFile(data) {
				if err := p.inspectAggregated(data); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return nil
			}
			inspection, err := prover.Inspect(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return p.printParts(inspection, len(data))
		},
	}
	cmd.Flags().IntSliceVar(&numbers, "open", nil, "`NUMBERS` of the runs that an opening shows, as in 0,3")
	cmd.Flags().StringVar(&path, "opening", "", "where to write the opening: `FILE`")
	return cmd
}

// open writes an opening of an aggregated proof.
func (p *program) open(from string, data []byte, numbers []int, path string) error {
	switch {
	case len(numbers) == 0:
		return Usagef("--opening %s: name the runs to show with --open NUMBERS", path)
	case path == "":
		return Usagef("--open: name the file of the opening with --opening FILE")
	}
	if err := distinct([]namedFile{{"the proof", from}, {"--opening", path}}); err != nil {
		return err
	}
	if !aggregate.IsFile(data) {
		return Usagef("%s is %s: --open takes an aggregated proof, which prover aggregate and prove --aggregate make", from,
			fileKind(data))
	}
	file := new(aggregate.File)
	if err := file.UnmarshalBinary(data); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	opened, err := file.Open(numbers...)
	if err != nil {
		return Usagef("%s: --open: %w", from, err)
	}
	text, err := opened.MarshalBinary()
	if err != nil {
		return err
	}
	return writeWhole(path, text)
}

// fileKind says what a file is that is not an aggregated proof, by its first bytes.
func fileKind(data []byte) string {
	switch {
	case protocol.InShards(data):
		return "a proof of a run in shards"
	case bytes.HasPrefix(data, []byte(protocol.Magic)):
		return "a single proof"
	case bytes.HasPrefix(data, []byte("\x7fELF")):
		return "an ELF file"
	}
	return "no proof"
}

// printParts prints a proof's header and its sections. It quotes the machine's name, which may hold terminal escapes.
func (p *program) printParts(inspection *prover.Inspection, total int) error {
	proof := inspection.Proof
	fmt.Fprintf(p.stdout, "machine     %q\ndigest      %x\nparameters  %s\n", proof.MachineName,
		proof.MachineDigest, proof.Params)
	shards := []*prover.Proof{proof}
	if inspection.Set != nil {
		shards = inspection.Set.Shards
		fmt.Fprintf(p.stdout, "shards      %d\n", len(shards))
	}
	if claims, err := known.Claims(proof); err == nil { // unchecked
		for i, shard := range shards {
			if claims.Machine().CheckInstances(shard.Instances) != nil {
				continue
			}
			for _, instance := range shard.Instances {
				line := fmt.Sprintf("table       %s, 2^%d rows", claims.Machine().Tables[instance.Table].Name, instance.LogHeight)
				if inspection.Set != nil {
					line += fmt.Sprintf(", of shard %d", i)
				}
				fmt.Fprintln(p.stdout, line)
			}
		}
		if claims.Machine().CheckStated(proof.Public) == nil {
			for _, field := range claims.Describe(proof.Public) {
				fmt.Fprintf(p.stdout, "%-11s %s\n", field.Name, field.Value)
			}
		}
	}
	fmt.Fprintf(p.stdout, "not verified: this is what the proof claims\n\n")
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "part\tbytes\tshare\t\n")
	for _, section := range inspection.Sections {
		fmt.Fprintf(out, "%s\t%d\t%.1f %%\t\n", section.Name, section.Bytes, 100*float64(section.Bytes)/float64(total))
	}
	fmt.Fprintf(out, "all\t%d\t\t\n", total)
	return out.Flush()
}
