package cli_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/bus/server"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A credential that lacks a permission ends the command with the name of the right credential: the server reports the
// denial once, and does not answer the request.
func TestCredentialsOfOthers(t *testing.T) {
	s, err := server.Start(server.Options{
		Listen: "127.0.0.1:0", Folder: t.TempDir(), Kinds: cluster.Kinds(), Ordering: cluster.Ordering(),
		Members: cluster.Members(), StoreBytes: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b, err := s.Inside()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	limits := cluster.DefaultLimits()
	limits.StoreBytes = 1 << 28
	if _, err := cluster.Make(t.Context(), b, limits); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	elf, input := filepath.Join(folder, "fib.elf"), filepath.Join(folder, "input")
	for path, data := range map[string][]byte{
		elf: riscvtest.Guest(t, "fib"), input: binary.LittleEndian.AppendUint64(nil, 2000), // 10,000 cycles
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	worker := s.Credential(cluster.WorkerRole)
	code, _, stderr := run(t, "", []cli.Backend{working("cpu")},
		"worker", "--nats", s.URL(), "--name", "other", "--credential", worker)
	if code != 1 || !strings.Contains(stderr, "belongs to worker: want the worker's that --name other names, other.nk") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	workers := []string{"--credential", s.Credential(cluster.WorkerRole)}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"prove", "--cluster", s.URL(), "--elf", elf, "--shards", "2", "--input", input,
			"--proof", elf + ".proof"}, "want a client's, client.nk"},
		{[]string{"serve", "--nats", s.URL()}, "want a client's, client.nk"},
	} {
		code, _, stderr := run(t, "", []cli.Backend{working("cpu")}, append(tc.args, workers...)...)
		if code != 1 || !strings.Contains(stderr, "credential "+workers[1]+" has no permission for this") ||
			!strings.Contains(stderr, tc.want) {
			t.Errorf("%v: exit code %d, %q, want %q", tc.args, code, stderr, tc.want)
		}
	}
}
