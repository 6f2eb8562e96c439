package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A device that was named is used or reported: --backend auto does not replace it with the CPU.
func TestNamedDevices(t *testing.T) {
	named := func(b cli.Backend) cli.Backend {
		b.DeviceFlag = "device"
		b.Flags = func(set *pflag.FlagSet) { set.String("device", "", "a device") }
		b.Predict = func(*machine.Fillers, *protocol.Shape) (uint64, error) { return 1 << 30, nil }
		b.Devices = func(list string) ([]string, error) { return strings.Split(list, ","), nil }
		return b
	}
	missing, present := named(absent("gpu")), named(working("gpu"))
	fib, guest := []string{"--machine", "fib", "--size", "64"}, []string{"--elf", "../../guests/elf/fib.elf"}
	credential := filepath.Join(t.TempDir(), "worker.nk")
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	text, err := (&bus.Credential{User: key, Name: "worker"}).MarshalText()
	if err == nil {
		err = os.WriteFile(credential, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		gpu     cli.Backend
		command string
		flags   []string
		code    int
		says    string
	}{
		"a named device": {missing, "prove", append(fib, "--device", "0"), 1,
			"prover prove: --device 0: no driver on this host"},
		"of a session":       {missing, "session", append(fib, "--device", "0"), 1, "--device 0: no driver on this host"},
		"of a run in shards": {missing, "prove", append(guest, "--shards", "2", "--device", "0"), 1, "--device 0: no dr"},
		"within a memory":    {missing, "prove", append(guest, "--memory", "9GiB", "--device", "0"), 1, "--device 0: no d"},
		"a list of devices":  {missing, "prove", append(guest, "--shards", "2", "--devices", "1,2"), 1, "--devices 1,2: dev"},
		"of a worker": {missing, "worker", []string{"--nats", "nats://localhost:1", "--credential",
			credential, "--device", "0"}, 1, "--device 0: no driver"},
		"a device that is there": {present, "prove", append(fib, "--device", "0"), 0, "proved in"},
		"an empty name":          {missing, "prove", append(fib, "--device", ""), 0, "auto chose cpu (gpu: no driver"},
	} {
		args := append([]string{tc.command}, tc.flags...)
		if tc.command != "worker" {
			args = append(args, "--params", "test", "--min-bits", "0")
		}
		if tc.command == "prove" {
			args = append(args, "--proof", filepath.Join(t.TempDir(), "p"))
		}
		code, _, stderr := run(t, "", []cli.Backend{tc.gpu, working("cpu")}, args...)
		replaced := strings.Contains(stderr, "auto chose") && name != "an empty name"
		if code != tc.code || !strings.Contains(stderr, tc.says) || replaced {
			t.Errorf("%s: exit code %d, stderr %q; want %d and %q", name, code, stderr, tc.code, tc.says)
		}
	}
}
