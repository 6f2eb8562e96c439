package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/run"
)

// workerFlags are the flags of worker.
type workerFlags struct {
	url, name, host, devices string
	bus                      busFlags
}

func (p *program) workerCommand() *cobra.Command {
	f := new(workerFlags)
	cmd := &cobra.Command{
		Use:   "worker --nats URL --credential FILE",
		Short: "Offer this host's devices to a cluster",
		Long: `Offer this host's devices to the cluster of a prover serve. The worker proves shards until it is interrupted; its
unfinished shards then go to other workers. It executes the programs itself, and keeps shards on a device between
their two phases if memory allows.

It accepts only tasks that are signed with the key that its credential names (orders-from).`,
		Args: Exactly(),
	}
	set := cmd.Flags()
	set.StringVar(&f.url, "nats", "", "the cluster's server: `URL` (required)")
	set.StringVar(&f.name, "name", "", "the worker's `NAME`; must equal the credential's (default: the credential's)")
	set.StringVar(&f.host, "host", "", "`NAME` of this host in the cluster (default: the host name)")
	set.StringVar(&f.devices, "devices", "", "GPUs to offer, as --device names them: all, or `LIST` such as 0,1")
	f.bus.add(set)
	backends := p.addBackendFlags(set)
	cmd.RunE = func(*cobra.Command, []string) error { return p.work(f, backends) }
	return cmd
}

// buildProgram makes the program that a machine's name and a file select.
func buildProgram(name string, file []byte) (run.Program, error) {
	if all.OfPrograms(name) {
		return riscv.New(file)
	}
	return all.Lookup(name)
}

var noWord = regexp.MustCompile(`[^A-Za-z0-9_-]`)

func (p *program) work(f *workerFlags, backends *backendFlags) (err error) {
	if f.url == "" {
		return Usagef("--nats URL is missing: prover serve prints it")
	}
	if f.host == "" {
		name, err := os.Hostname()
		if err != nil {
			return Usagef("--host NAME is missing: the system reports none (%w)", err)
		}
		f.host = noWord.ReplaceAllString(name, "-")
	}
	if err := f.named(); err != nil {
		return err
	}
	for flag, name := range map[string]string{"--name": f.name, "--host": f.host} {
		if err := cluster.CheckName(name); err != nil {
			return Usagef("%s %w", flag, err)
		}
	}
	if backends.onDeviceError != "fail" || backends.traceOut != "" {
		return Usagef("--on-device-error cpu and --trace-out apply to local proofs")
	}
	chosen, devices, err := p.openDevices(backends, f.devices)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shutdown(devices)) }()
	ctx, stop := p.interruptibleSaying("interrupted: this stage is the last, and others get the task; interrupt again " +
		"to end at once")
	defer stop()
	ctx, b, err := p.dial(ctx, f.url, cluster.WorkerConnection(f.name, f.host), &f.bus,
		"a worker's, such as worker.nk of the server's folder")
	if err != nil {
		return err
	}
	defer b.Close()
	space, err := cluster.Open(ctx, b)
	if err != nil {
		return because(ctx, err)
	}
	w, err := cluster.NewWorker(space, cluster.WorkerOptions{
		Name: f.name, Host: f.host, Devices: seatsOn(chosen, devices), Build: buildProgram, Workers: backends.workers,
		Log: func(line string) { fmt.Fprintln(p.stderr, line) },
	})
	if err != nil {
		return err
	}
	if err := w.Run(ctx); err != nil {
		return because(ctx, err)
	}
	return context.Cause(ctx)
}

// named sets the worker's name from its credential.
func (f *workerFlags) named() error {
	if f.name != "" {
		if err := cluster.CheckName(f.name); err != nil {
			return Usagef("--name %w", err)
		}
	}
	if f.bus.credential == "" {
		f.name = cmp.Or(f.name, cluster.WorkerRole)
		return nil // the server reports that it needs one
	}
	credential, err := bus.ReadCredential(f.bus.credential)
	if err != nil {
		return err
	}
	if f.name != "" && f.name != credential.Name {
		return fmt.Errorf("credential %s belongs to %s: want the worker's that --name %s names, %s.nk of the server's folder",
			f.bus.credential, credential.Name, f.name, f.name)
	}
	f.name = credential.Name
	return nil
}

// seatsOn describes the devices to the cluster.
func seatsOn(chosen *Backend, devices []backend.Backend) (list []cluster.Device) {
	waiting := uint64(math.MaxUint64)
	if chosen.Name == "cpu" {
		waiting = availableMemory() / 4 * 3 // the rest is for the run
	}
	for i, device := range devices {
		list = append(list, cluster.Device{
			Name: fmt.Sprintf("%s%d", chosen.Name, i), Backend: device, WaitingBytes: waiting,
		})
	}
	return list
}
