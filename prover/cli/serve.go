package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/server"
	"github.com/chiasmus/chiasmus/prover/cluster"
)

// busFlags name the credential and the certificate authority for a server.
type busFlags struct{ credential, authority string }

func (b *busFlags) add(set *pflag.FlagSet) {
	set.StringVar(&b.credential, "credential", "", "`FILE` with the credential for the server: serve makes them")
	set.StringVar(&b.authority, "tls-ca", "",
		"`FILE` with the authority's certificate (PEM), if this host does not trust the signer of the server's")
}

// dial connects to a server. The returned context ends with ctx, or when the server denies the credential an
// operation; wanted names the credential that would be allowed.
func (p *program) dial(ctx context.Context, url, name string, b *busFlags,
	wanted string) (context.Context, *bus.Bus, error) {
	ctx, end := context.WithCancelCause(ctx)
	made, err := bus.Dial(bus.Options{
		URL: url, Credential: b.credential, Authority: b.authority, Name: name,
		Log:    func(line string) { fmt.Fprintln(p.stderr, line) },
		Denied: func(err error) { end(fmt.Errorf("%w: want %s", err, wanted)) },
	})
	return ctx, made, err
}

// wantClient describes the credential that every command except worker needs.
const wantClient = "a client's, client.nk of the server's folder"

// because returns err, or the cause of the context's end if err follows from that.
func because(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, folder, certificate, key string
	workers                          []string
	storeGiB                         int64
	expiry, lease                    time.Duration
	url                              string
	prepare                          bool
	bus                              busFlags
}

func (p *program) serveCommand() *cobra.Command {
	f := new(serveFlags)
	cmd := &cobra.Command{
		Use:   "serve (--store DIR [--listen HOST:PORT] | --nats URL)",
		Short: "Run the server of a cluster, for prove --cluster and worker",
		Long: `Run the server of a cluster, which proves programs in shards on many hosts: prover worker offers it devices, and
prover prove --cluster requests proofs. This process is their NATS server, with JetStream, and assigns the tasks. The
folder holds all of its data.

The first start creates credentials in DIR/credentials: client.nk for clients, which ask for proofs; worker.nk for
workers; and one for every --worker NAME. prover credential creates and removes credentials while the server runs. A
worker can act only under the name in its credential. A client's credential signs tasks; workers refuse unsigned ones.

With --nats, the command creates the cluster's streams and stores in a server that is already running, and assigns tasks
there until it is interrupted. With --prepare it exits once they exist.`,
		Args: Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			if f.url != "" {
				return p.serveForeign(f)
			}
			return p.serveCluster(f)
		},
	}
	set, limits := cmd.Flags(), cluster.DefaultLimits()
	set.StringVar(&f.folder, "store", "", "folder for all of the server's data: `DIR`, created if missing")
	set.StringVar(&f.listen, "listen", "127.0.0.1:4222", "`HOST:PORT` to listen on; port 0 chooses a free port")
	set.StringVar(&f.certificate, "tls-cert", "", "`FILE` with the server's certificate: connections are encrypted")
	set.StringVar(&f.key, "tls-key", "", "`FILE` with the certificate's key")
	set.StringSliceVar(&f.workers, "worker", nil, "make a credential for workers of this `NAME`, besides worker.nk")
	set.Int64Var(&f.storeGiB, "store-limit", limits.StoreBytes>>30,
		"limit on stored programs, inputs and proofs, in `GIB`")
	set.DurationVar(&f.expiry, "expiry", limits.Expiry, "how long programs, inputs and proofs are stored")
	set.DurationVar(&f.lease, "lease", limits.Lease, "how long a worker may be silent before its task goes to another")
	set.StringVar(&f.url, "nats", "", "use the running NATS server at `URL`")
	set.BoolVar(&f.prepare, "prepare", false, "with --nats: create the cluster's streams and stores there, and exit")
	f.bus.add(set)
	return cmd
}

func (f *serveFlags) check(set *pflag.FlagSet) error {
	switch {
	case f.url == "" && f.folder == "":
		return Usagef("--store DIR is missing; or --nats URL of a running server")
	case f.url != "" && (f.folder != "" || set.Changed("listen") || f.certificate != "" || f.key != "" ||
		f.workers != nil):
		return Usagef("--nats names a running server: --store, --listen, --tls-cert, --tls-key and --worker are for " +
			"one of its own")
	case f.prepare && f.url == "":
		return Usagef("--prepare needs --nats URL of a running server")
	case (f.certificate == "") != (f.key == ""):
		return Usagef("--tls-cert and --tls-key need each other")
	case f.storeGiB < 1 || f.storeGiB > 1<<20:
		return Usagef("--store-limit is %d, want 1 to %d GiB", f.storeGiB, 1<<20)
	case f.expiry < time.Minute:
		return Usagef("--expiry is %v, want at least 1m", f.expiry)
	case f.lease < time.Second || f.lease > time.Hour:
		return Usagef("--lease is %v, want 1s to 1h", f.lease)
	}
	for _, name := range f.workers {
		if err := cluster.CheckName(name); err != nil {
			return Usagef("--worker %w", err)
		}
		if name == cluster.ClientRole || name == cluster.WorkerRole {
			return Usagef("--worker %s: serve always makes a credential of that name", name)
		}
	}
	return nil
}

func (f *serveFlags) limits() cluster.Limits {
	return cluster.Limits{StoreBytes: f.storeGiB << 30, Expiry: f.expiry, Lease: f.lease}
}

// serveCluster runs a server until it is interrupted.
func (p *program) serveCluster(f *serveFlags) (err error) {
	ctx, stop := p.interruptibleSaying("interrupted: closing the server")
	defer stop()
	s, err := server.Start(server.Options{
		Listen: f.listen, Folder: f.folder, Kinds: cluster.Kinds(), Ordering: cluster.Ordering(),
		Members: cluster.Members(f.workers...), Certificate: f.certificate, Key: f.key,
		StoreBytes: f.limits().StoreBytes + storeOverhead,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	inside, err := s.Inside()
	if err != nil {
		return err
	}
	defer inside.Close()
	space, err := cluster.Make(ctx, inside, f.limits())
	if err != nil {
		return err
	}
	workers := func() ([]string, error) { return s.Named(cluster.WorkerRole) }
	serving, end := errgroup.WithContext(ctx)
	serving.Go(func() error {
		return space.Guard(end, s, workers, func(line string) { fmt.Fprintln(p.stderr, line) })
	})
	serving.Go(func() error { return space.Dispatch(end) })
	fmt.Fprintf(p.stdout, "serving %s\nclients  %s\nworkers  %s\n",
		s.URL(), s.Credential(cluster.ClientRole), s.Credential(cluster.WorkerRole))
	for _, name := range f.workers {
		fmt.Fprintf(p.stdout, "workers  %s\n", s.Credential(name))
	}
	if err := serving.Wait(); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// storeOverhead is space for states, results and tasks in addition to the objects.
const storeOverhead = 1 << 30

// serveForeign creates a cluster's streams and stores in a running server, and assigns its tasks.
func (p *program) serveForeign(f *serveFlags) error {
	ctx, stop := p.interruptibleSaying("interrupted")
	defer stop()
	ctx, b, err := p.dial(ctx, f.url, "prover serve", &f.bus, wantClient)
	if err != nil {
		return err
	}
	defer b.Close()
	space, err := cluster.Make(ctx, b, f.limits())
	if err != nil {
		return because(ctx, err)
	}
	if _, err = fmt.Fprintf(p.stdout, "%s has a cluster\n", f.url); err != nil || f.prepare {
		return err
	}
	if err := space.Dispatch(ctx); err != nil {
		return because(ctx, err)
	}
	return context.Cause(ctx)
}
