package command

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

func (e Environment) kernelsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kernels",
		Short: "Build GPU kernels ahead of time, and list built ones",
		Args:  cli.Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_ = cmd.Help() // list the commands, too
			return cli.Usagef("a command is needed: build or list")
		},
	}
	cmd.AddCommand(e.buildCommand(), e.listCommand())
	return cmd
}

func (e Environment) buildCommand() *cobra.Command {
	var architectures, only []string
	var out, nvrtcFile string
	cmd := &cobra.Command{
		Use:   "build --arch LIST --out DIR",
		Short: "Compile the kernels of all machines for hosts without NVRTC",
		Long: `Compile the kernels of all machines for the given architectures into a folder that --kernels reads. This needs
NVRTC, but no GPU. Kernels depend on a machine's tables alone: the kernels of rv64im prove every program of any length.
The same sources and compiler give the same bytes.`,
		Args: cli.Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(architectures) == 0 {
				return cli.Usagef("--arch is missing: a list such as sm_80,sm_90,sm_120")
			}
			if out == "" {
				return cli.Usagef("--out DIR is missing")
			}
			for _, architecture := range architectures {
				if err := checkArchitecture(architecture); err != nil {
					return err
				}
			}
			units, err := unitsOf(only)
			if err != nil {
				return err
			}
			for _, architecture := range architectures {
				compiler, err := compilerFor(architecture, e.search(nvrtcFile))
				if err != nil {
					return err
				}
				objects, err := compiler.Write(cmd.Context(), architecture, units, out, compiling(cmd.ErrOrStderr()))
				if err != nil {
					return err
				}
				kernels := 0
				for _, object := range objects {
					kernels += len(object.Kernels)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s with %s in %s, by %s\n", architecture, plural.Of(len(objects), "file"),
					plural.Of(kernels, "kernel"), out, objects[0].Compiler)
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&architectures, "arch", nil,
		"architectures, separated by commas: sm_90 and the like, or "+gpu.Software)
	cmd.Flags().StringVar(&out, "out", "", "write the kernels to this folder, created if missing")
	cmd.Flags().StringSliceVar(&only, "machine", nil, "build only the kernels of these machines (default: all)")
	cmd.Flags().StringVar(&nvrtcFile, nvrtcFlag, "", "the NVRTC library, or the folder that holds it")
	return cmd
}

var architectureForm = regexp.MustCompile(`^sm_[0-9]{2,3}[af]?$`)

func checkArchitecture(name string) error {
	if architectureForm.MatchString(name) || name == "softgpu" || name == "softgpu_checked" {
		return nil
	}
	return cli.Usagef("--arch %q: want names such as sm_80, sm_90 or sm_120, or softgpu or softgpu_checked", name)
}

// unitsOf returns the kernel files of the named machines, or of all machines if names is empty.
func unitsOf(names []string) ([]compile.Unit, error) {
	if len(names) == 0 {
		names = all.MachineNames()
	}
	var machines []*machine.Fillers
	for _, name := range names {
		m, err := all.Fillers(name)
		if err != nil {
			return nil, cli.Usagef("--machine: %w", err)
		}
		machines = append(machines, m)
	}
	return gpu.Units(machines...)
}

// compilerFor returns NVRTC, or the software device's compiler for its architectures. It uses no cache, so that what is
// written was compiled now.
func compilerFor(architecture string, search nvrtc.Search) (*compile.Compiler, error) {
	if strings.HasPrefix(architecture, "softgpu") {
		opened, err := softgpu.Open(softgpu.Options{})
		if err != nil {
			return nil, err
		}
		return opened.Compiler, nil
	}
	compiler, err := nvrtc.Open(search)
	if err != nil {
		return nil, err
	}
	known, err := compiler.Architectures()
	if err != nil {
		return nil, err
	}
	if base := strings.TrimRight(architecture, "af"); !slices.Contains(known, base) {
		return nil, cli.Usagef("--arch %s: NVRTC at %s supports %s", architecture, compiler.Path(), strings.Join(known, ", "))
	}
	return &compile.Compiler{Library: compiler}, nil
}

func (e Environment) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list [DIR]",
		Short: "List compiled kernels: registers, spills, shared memory, architecture, key",
		Long: `List the compiled kernels of a folder (default: the user's cache): registers, spills and shared memory, the
architecture, and the key of the sources. A damaged file is reported as an error after the list.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("unexpected argument %q", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := e.kernelCache()
			if len(args) == 1 {
				folder = args[0]
			}
			if folder == "" {
				return cli.Usagef("there is no cache folder: name a folder")
			}
			if err := checkFolder("DIR", folder); err != nil {
				return fmt.Errorf("%w (kernels are kept by proofs on a GPU, and by prover kernels build --out DIR)", err)
			}
			objects, err := compile.ReadFolder(folder)
			if printErr := printKernels(cmd.OutOrStdout(), objects); printErr != nil {
				return printErr
			}
			return err
		},
	}
}

func printKernels(out io.Writer, objects []*compile.Object) error {
	slices.SortStableFunc(objects, func(a, b *compile.Object) int {
		return cmp.Or(cmp.Compare(a.Architecture, b.Architecture), cmp.Compare(a.Name, b.Name))
	})
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "architecture\tfile\tkernel\tregisters\tstack\tspills out\tspills in\tshared\tkey\tcompiler")
	for _, o := range objects {
		for _, k := range o.Kernels {
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%.16s\t%s\n", o.Architecture, o.Name, k.Name,
				k.Registers, k.StackBytes,
				k.SpillStoreBytes, k.SpillLoadBytes, k.SharedBytes, o.SourceKey, shortCompiler(o.Compiler))
		}
	}
	return table.Flush()
}

// shortCompiler shortens the build's hash, the last part of a compiler's identity, to what distinguishes builds.
func shortCompiler(identity string) string {
	if at := strings.LastIndexByte(identity, '-'); at >= 0 && len(identity) > at+9 {
		return identity[:at+9]
	}
	return identity
}
