package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/guests"
)

func (p *program) sdkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sdk FOLDER",
		Short: "Write the SDK for guests that name no zkVM",
		Long: `Write libzkvm.a, zkvm.ld and zkvm.features to FOLDER. A guest archive that defines main and needs no symbols
but the functions of eth-act/zkvm-standards (and abort and sys_alloc_aligned) becomes a program for this machine by

  ld.lld -T FOLDER/zkvm.ld -L FOLDER --gc-sections -o guest.elf guest.a

An archive of bitcode needs an ld.lld whose LLVM is at least as new as the archive's, and eth-act's command has the flags
--fat-lto-objects and --lto-O3 too. zkvm.h and zkvm_accelerators.h declare the functions: hashes, signatures, BN254,
BLS12-381, KZG, modexp.`,
		Args: Exactly("FOLDER"),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := guests.SDK()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			for _, f := range files {
				path := filepath.Join(args[0], f.Name)
				if err := writeWhole(path, f.Data); err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "wrote %s (%d bytes)\n", path, len(f.Data))
			}
			return nil
		},
	}
}
