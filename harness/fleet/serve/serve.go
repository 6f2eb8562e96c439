// Package serve implements the program harness-fleet-server: a NATS server that contains a fleet. The harness itself
// does not link the server's library.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/fleet"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// Main runs one command line until it is interrupted, and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, release := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer release()
	err := run(ctx, args, stdout, stderr)
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return failure.ExitOK
	}
	fmt.Fprintf(stderr, "harness: fleet serve: %v\n", err)
	return harness.ExitCode(nil, err)
}

const usage = `The server of a fleet, which harness fleet serve starts (see harness fleet serve --help).

Usage:
  harness-fleet-server --store FOLDER --label NAME [flags]

Flags:
`

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	settings := fleet.DefaultServerSettings()
	flags := pflag.NewFlagSet(fleet.ServerProgram, pflag.ContinueOnError)
	flags.SetOutput(stderr)
	settings.Register(flags)
	flags.Usage = func() { fmt.Fprint(stdout, usage, flags.FlagUsages()) }
	err := flags.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("argument %q: want only flags", flags.Arg(0))
	}
	if err == nil {
		err = settings.Check()
	}
	if err != nil {
		return &failure.UsageError{Err: err}
	}
	return serve(ctx, settings, stdout, stderr)
}

// storeOverhead is room for orders, progress reports and cards, in addition to the objects.
const storeOverhead = 1 << 30

// serve runs the server until the context ends.
func serve(ctx context.Context, s fleet.ServerSettings, stdout, stderr io.Writer) error {
	running, err := server.Start(server.Options{
		Listen: s.Listen, Folder: s.Store, Certificate: s.Certificate, Key: s.Key,
		Kinds: fleet.Kinds(), Ordering: fleet.Ordering(), Members: fleet.Members(s.Labels...),
		StoreBytes: s.Limits.StoreBytes + storeOverhead,
	})
	if err != nil {
		return &failure.UsageError{Err: err}
	}
	defer running.Close()
	inside, err := running.Inside()
	if err != nil {
		return err
	}
	_, err = fleet.Make(ctx, inside, s.Limits)
	inside.Close()
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n", running.URL())
	fmt.Fprintf(stderr, "harness: credentials are in %s; Ctrl-C stops the server\n",
		filepath.Dir(running.Credential(fleet.CoordinatorRole)))
	<-ctx.Done()
	return nil
}
