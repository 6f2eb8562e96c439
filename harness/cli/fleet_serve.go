package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/fleet"
)

// fleetServe is the command that replaces this process with the server's program, so its exit code is the server's.
func (a *app) fleetServe() *cobra.Command {
	settings := fleet.DefaultServerSettings()
	c := &cobra.Command{
		Use:   "serve --store FOLDER --label NAME",
		Short: textFleetServeShort,
		Long:  textFleetServeLong,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			err := settings.Check()
			if err == nil {
				err = become(fleet.ServerProgram, settings.Arguments())
			}
			return a.fail(nil, &failure.UsageError{Err: err})
		},
	}
	settings.Register(c.Flags())
	c.MarkFlagRequired("store")
	c.MarkFlagRequired("label")
	return c
}

// become replaces this process with a program in the same folder or on PATH. It returns only on failure.
func become(program string, args []string) error {
	path, err := besides(program)
	if err != nil {
		return err
	}
	if err := syscall.Exec(path, append([]string{path}, args...), os.Environ()); err != nil {
		return fmt.Errorf("%s: %w: reinstall it from the same release as harness", path, err)
	}
	return nil
}

// besides returns the path of a program in the folder of this one, else on PATH.
func besides(program string) (string, error) {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(own), program)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("program %s not found in harness's folder or on PATH: download it from the release of this "+
			"harness (%s), or run `go install github.com/chiasmus/chiasmus/harness/cmd/%s@latest`", program, version(),
			program)
	}
	return path, err
}
