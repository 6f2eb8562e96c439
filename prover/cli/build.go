package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// guestBuild holds the flags of build.
type guestBuild struct {
	folder        string
	noStd, locked bool
	toolchain     string
	patches       []string
}

func (b *guestBuild) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.noStd, "no-std", false, "a program in Rust without std: it has #![no_std] and entry!(main)")
	cmd.Flags().BoolVar(&b.locked, "locked", false, "use the versions in Cargo.lock; fail if it must change")
	cmd.Flags().StringVar(&b.toolchain, "toolchain", "",
		"the `FOLDER` with cargo and rustc (default: those in PATH, else Debian's)")
	cmd.Flags().StringSliceVar(&b.patches, "patch", nil, "replace `CRATES` by the kit's, which use accelerators: all, or "+
		strings.Join(guests.Patches(), ", "))
}

// given returns one of the flags that the command line sets, or "".
func (b *guestBuild) given(set *pflag.FlagSet) string {
	for _, name := range []string{"no-std", "locked", "toolchain", "patch"} {
		if set.Changed(name) {
			return name
		}
	}
	return ""
}

func (p *program) buildCommand() *cobra.Command {
	var b guestBuild
	cmd := &cobra.Command{
		Use:   "build [FOLDER] [--no-std] [--locked] [--patch CRATES]",
		Short: "Build a program in Rust or C for the RISC-V machine",
		Long: `Build the program of a folder (default: this one) for the RISC-V machine, write NAME.elf next to its
sources, and print its size and its id.

A folder with Cargo.toml is built by cargo in the release profile, for a target that has std. The standard library is
compiled too, so the toolchain needs its sources (component rust-src). In other folders, the .c, .cc and .cpp files are
compiled by riscv64-unknown-elf-gcc. The kit (targets, linker script, crate chiasmus-guest, library for C) is embedded
in this binary and is written to the user's cache.

With --patch, crates of the kit replace crates of the same names. They have the same interface and use
accelerators where possible (docs/guide/guests.md).

The same sources, toolchain and kit produce the same bytes in any folder, provided that the user's cache, the toolchain
and cargo's home have the same paths.

Exit codes: 0 success; 1 the program does not compile, or there is no toolchain; 2 wrong flags or a folder without a
program.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usagef("unexpected argument %q", args[1])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			b.folder = "."
			if len(args) == 1 {
				b.folder = args[0]
			}
			ctx, stop := p.interruptibleSaying(endsCompiler)
			defer stop()
			built, err := p.buildGuest(ctx, &b)
			if err != nil {
				return err
			}
			for _, path := range built {
				if err := p.printBuilt(path); err != nil {
					return err
				}
			}
			return nil
		},
	}
	b.addFlags(cmd)
	return cmd
}

// endsCompiler is the message for the first signal during a build.
const endsCompiler = "interrupted: ending the compiler"

// printBuilt prints a program's size and id.
func (p *program) printBuilt(path string) error {
	guest, err := openGuest(path)
	if err != nil && strings.Contains(err.Error(), "the entry 0x0 ") {
		return fmt.Errorf("%w: nothing of chiasmus-guest is linked; a program that calls nothing of it needs the line\n"+
			"  use chiasmus_guest as _;", err)
	}
	if err != nil {
		return err
	}
	preset, err := protocol.PresetByName(guestPreset)
	if err != nil {
		return err
	}
	key, err := setup.NewKey(guest.Machine(), preset.Params)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n  %d bytes, program id %x\n", path, info.Size(), key.ProgramID())
	return err
}

// buildGuest builds the programs of a folder and returns their paths.
func (p *program) buildGuest(ctx context.Context, b *guestBuild) ([]string, error) {
	folder, err := filepath.Abs(b.folder)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(folder); err != nil {
		return nil, Usagef("FOLDER: %w", err)
	} else if !info.IsDir() {
		return nil, Usagef("FOLDER: %s is a file, want the folder of a program", b.folder)
	}
	_, missing := os.Stat(filepath.Join(folder, "Cargo.toml"))
	sources := cSources(folder)
	switch {
	case missing != nil && len(sources) == 0:
		return nil, Usagef("%s has no Cargo.toml and no .c, .cc or .cpp file; prover new NAME creates a program", b.folder)
	case missing != nil && (b.noStd || b.toolchain != "" || b.locked || len(b.patches) > 0):
		return nil, Usagef("--no-std, --locked, --patch and --toolchain apply to Rust, and %s has no Cargo.toml", b.folder)
	}
	if b.patches, err = b.patchesNamed(folder); err != nil {
		return nil, err
	}
	if missing == nil {
		b.patches = append(b.patches, cratesOf(folder)...)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find a folder for the kit: %w", err)
	}
	kit, err := guests.Install(filepath.Join(cache, "chiasmus"))
	if err != nil {
		return nil, fmt.Errorf("install the kit: %w", err)
	}
	if missing != nil {
		return p.buildC(ctx, kit, folder, sources)
	}
	return p.buildRust(ctx, b, kit, folder)
}

// patchesNamed returns the names of patches: all of them for "all". With a fixed Cargo.lock, "all" means all crates
// that the lock names, because cargo would add the others to it.
func (b *guestBuild) patchesNamed(folder string) ([]string, error) {
	known, names := guests.Patches(), b.patches
	if slices.Equal(names, []string{"all"}) {
		if !b.locked {
			return known, nil
		}
		lock, err := os.ReadFile(filepath.Join(folder, "Cargo.lock"))
		if err != nil {
			return nil, fmt.Errorf("--locked needs a Cargo.lock: %w", err)
		}
		return slices.DeleteFunc(known, func(name string) bool { return !locksPatch(lock, name) }), nil
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, Usagef("--patch: %q has no patch: want all, or some of %s", name, strings.Join(known, ","))
		}
	}
	return names, nil
}

// locksPatch reports whether a Cargo.lock has a crate in the version of its patch, which ends in 99. A lock that has
// only the original cannot have a patch.
func locksPatch(lock []byte, name string) bool {
	for _, after := range bytes.Split(lock, []byte("\nname = \""+name+"\"\nversion = \""))[1:] {
		if version, _, _ := bytes.Cut(after, []byte{'"'}); bytes.HasSuffix(version, []byte(".99")) {
			return true
		}
	}
	return false
}

// cratesOf returns the kit's crates that the Cargo.toml of a folder names. Cargo would warn about unused ones.
func cratesOf(folder string) []string {
	manifest, _ := os.ReadFile(filepath.Join(folder, "Cargo.toml")) // cargo reports what is wrong with it
	return slices.DeleteFunc(guests.Crates(), func(name string) bool {
		return !bytes.Contains(manifest, []byte(name))
	})
}

func cSources(folder string) (sources []string) {
	for _, pattern := range []string{"*.c", "*.cc", "*.cpp"} {
		found, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, path := range found {
			sources = append(sources, filepath.Base(path))
		}
	}
	return sources
}

func (p *program) buildC(ctx context.Context, kit guests.Kit, folder string, sources []string) ([]string, error) {
	if _, err := exec.LookPath("riscv64-unknown-elf-gcc"); err != nil {
		return nil, errors.New("no compiler for C: apt-get install gcc-riscv64-unknown-elf " +
			"picolibc-riscv64-unknown-elf (Debian 12)")
	}
	name := filepath.Base(folder) + ".elf"
	cmd := exec.CommandContext(ctx, kit.CC(), append(sources, "-o", name)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, p.stderr, p.stderr
	if err := cmd.Run(); err != nil {
		return nil, failedBuild(ctx, fmt.Errorf("%s: the compiler: %w", folder, err))
	}
	return []string{filepath.Join(folder, name)}, nil
}

// failedBuild returns a compiler's error, or the interruption that killed the compiler.
func failedBuild(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// rustFlags are passed to the compiler for every crate. Guests have one thread: atomic operations become plain ones.
var rustFlags = []string{"-Cpasses=lower-atomic", `--cfg=getrandom_backend="custom"`}

// cargoArguments returns cargo's arguments for a build.
func (b *guestBuild) cargoArguments(kit guests.Kit) ([]string, error) {
	std, library := !b.noStd, "std,panic_abort"
	if b.noStd {
		library = "core,alloc,compiler_builtins"
	}
	target, err := kit.Target(std)
	if err != nil {
		return nil, fmt.Errorf("the kit: %w", err)
	}
	crate, err := kit.Crate()
	if err != nil {
		return nil, fmt.Errorf("the kit: %w", err)
	}
	arguments := []string{"build", "--release", "--target", target, "-Zjson-target-spec",
		"-Zbuild-std=" + library, "-Zbuild-std-features=compiler-builtins-mem",
		// The result contains no path of this host.
		"-Ztrim-paths", "--config", `profile.release.trim-paths="all"`,
		"--config", `profile.release.strip="debuginfo"`, // symbols stay, for errors and profiles
		"--config", fmt.Sprintf("patch.crates-io.chiasmus-guest.path=%q", crate),
		"--message-format=json-render-diagnostics"}
	for _, name := range b.patches {
		folder, err := kit.Patch(name)
		if err != nil {
			return nil, fmt.Errorf("the kit: %w", err)
		}
		arguments = append(arguments, "--config", fmt.Sprintf("patch.crates-io.%s.path=%q", name, folder))
	}
	if b.locked {
		arguments = append(arguments, "--locked")
	}
	return arguments, nil
}

func (p *program) buildRust(ctx context.Context, b *guestBuild, kit guests.Kit, folder string) ([]string, error) {
	toolchain, err := findRust(b.toolchain, folder)
	if err != nil {
		return nil, err
	}
	if err := p.deriveCrates(ctx, toolchain, kit, b.patches, folder); err != nil {
		return nil, err
	}
	arguments, err := b.cargoArguments(kit)
	if err != nil {
		return nil, err
	}
	var messages bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(toolchain.folder, "cargo"), arguments...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &messages, p.stderr
	// RUSTC_BOOTSTRAP lets a stable toolchain compile its standard library; setting it in a configuration's [env] is
	// too late.
	cmd.Env = append(cmd.Environ(), "RUSTC_BOOTSTRAP=1", "RUSTC="+filepath.Join(toolchain.folder, "rustc"),
		"CARGO_ENCODED_RUSTFLAGS="+strings.Join(append(rustFlags, "-Clinker="+toolchain.linker), "\x1f"))
	if err := cmd.Run(); err != nil {
		return nil, failedBuild(ctx, fmt.Errorf("%s: cargo (%s): %w", folder, toolchain.version, err))
	}
	return takeExecutables(&messages, folder)
}

// takeExecutables copies the executables that cargo reports to NAME.elf in the sources' folder.
func takeExecutables(messages io.Reader, folder string) (built []string, err error) {
	decoder := json.NewDecoder(messages)
	for {
		var message struct {
			Target     struct{ Name string }
			Executable string
		}
		switch err := decoder.Decode(&message); {
		case err == io.EOF && len(built) == 0:
			return nil, fmt.Errorf("%s has no binary: src/main.rs is missing", folder)
		case err == io.EOF:
			return built, nil
		case err != nil:
			return nil, fmt.Errorf("parse cargo's messages: %w", err)
		case message.Executable == "":
			continue
		}
		file, err := os.ReadFile(message.Executable)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(folder, message.Target.Name+".elf")
		if err := os.WriteFile(path, file, 0o755); err != nil {
			return nil, err
		}
		built = append(built, path)
	}
}
