package main

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/bustest"
)

// clusterOfProcesses runs a server, a worker and clients as processes: a job is requested, left, listed, resumed and
// proven, and its proof equals that of a single process.
func clusterOfProcesses(t *testing.T, prover func(*testing.T, ...string) *exec.Cmd) {
	guest, err := filepath.Abs("../../../guests/elf/hashes.elf")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	certificate, key, err := bustest.Certificate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	serve := prover(t, "serve", "--listen", "127.0.0.1:0", "--store", folder, "--lease", "2s",
		"--tls-cert", certificate, "--tls-key", key)
	told := start(t, serve)
	url := strings.Fields(line(t, told))[1]
	credential := func(role string) string { return filepath.Join(folder, "credentials", role+".nk") }
	client := []string{"--cluster", url, "--credential", credential("client"), "--tls-ca", certificate}
	output := func(args ...string) string {
		t.Helper()
		text, err := prover(t, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("prover %q: %v\n%s", args, err, text)
		}
		return string(text)
	}

	proof := filepath.Join(t.TempDir(), "proof")
	asked := []string{"prove", "--elf", guest, "--shards", "2", "--params", "test", "--proof", proof}
	detached := prover(t, append(asked, client...)...)
	log := stderr(t, detached)
	if err := detached.Start(); err != nil {
		t.Fatal(err)
	}
	job := strings.TrimSuffix(strings.Fields(waitFor(t, log, "job "))[1], ":")
	interrupt(t, detached)
	until(t, log, "the job stays in the cluster")
	if code := exitCode(t, detached); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if listed := output(append([]string{"jobs"}, client...)...); !strings.Contains(listed, job+"  rv64im   running") {
		t.Errorf("the jobs are\n%s", listed)
	}

	worker := prover(t, "worker", "--nats", url, "--credential", credential("worker"), "--tls-ca", certificate,
		"--backend", "cpu", "--host", "here")
	ready := stderr(t, worker)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, ready, "seat worker/here/cpu0")
	metrics := filepath.Join(t.TempDir(), "metrics")
	said := output(append([]string{"prove", "--job", job, "--proof", proof, "--metrics", metrics}, client...)...)
	for _, want := range []string{"shard 1: proven by worker/here/cpu0", "\ntime start 0.", "\nshard 1 waited "} {
		if !strings.Contains(said, want) {
			t.Errorf("prove says\n%swant words %q", said, want)
		}
	}
	measured(t, metrics)
	alone := filepath.Join(t.TempDir(), "alone")
	output(append(asked[:len(asked)-1], alone, "--backend", "cpu")...)
	together, err := os.ReadFile(proof)
	if err != nil {
		t.Fatal(err)
	}
	if one, err := os.ReadFile(alone); err != nil || string(one) != string(together) {
		t.Errorf("the proof is another than that of one process (%v)", err)
	}

	strangersAreRefused(t, prover, url, certificate, credential("worker"))
	for _, cmd := range []*exec.Cmd{worker, serve} {
		interrupt(t, cmd)
		if code := exitCode(t, cmd); code != 130 {
			t.Errorf("exit code %d, want 130", code)
		}
	}
}

// stranger is a credential that no server knows.
func stranger(t *testing.T) []byte {
	t.Helper()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	text, err := (&bus.Credential{Name: "stranger", User: user}).MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// measured checks the metrics of two shards that one device of a cluster proved.
func measured(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Metrics  map[string]float64
		Counters map[string]uint64
		Shards   []struct {
			Seat   string
			Phase2 float64 `json:"phase2_seconds"`
		}
		Devices []string
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	whole := file.Metrics["prove_seconds"]
	for name, part := range file.Metrics {
		if strings.HasPrefix(name, "cluster_") {
			whole -= part
		}
	}
	if math.Abs(whole) > 1e-6 || file.Metrics["shards_stage_open_seconds"] <= 0 || file.Counters["cells"] == 0 {
		t.Errorf("parts are %g s short of the whole: %s", whole, data)
	}
	if len(file.Devices) != 1 || len(file.Shards) != 2 || !strings.HasPrefix(file.Shards[1].Seat, "worker/here/cpu0") ||
		file.Shards[1].Phase2 <= 0 {
		t.Errorf("of the shards it says %s", data)
	}
}

// strangersAreRefused runs processes without a credential, with another's, with one that others may read, and some that
// trust another server's certificate, or none: each must report why it is rejected.
func strangersAreRefused(t *testing.T, prover func(*testing.T, ...string) *exec.Cmd, url, certificate, worker string) {
	other, _, err := bustest.Certificate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	seed := stranger(t)
	own, open := filepath.Join(t.TempDir(), "own.nk"), filepath.Join(t.TempDir(), "open.nk")
	for path, mode := range map[string]os.FileMode{own: 0o600, open: 0o644} {
		if err := os.WriteFile(path, seed, mode); err != nil {
			t.Fatal(err)
		}
	}
	plain := strings.Replace(url, "tls:", "nats:", 1)
	asWorker := func(args ...string) []string {
		return append([]string{"worker", "--nats", url, "--backend", "cpu"}, args...)
	}
	for want, args := range map[string][]string{
		"it requires a credential, but none is given": {"jobs", "--cluster", url, "--tls-ca", certificate},
		"credential " + own + " is unknown":           asWorker("--tls-ca", certificate, "--credential", own),
		"users other than its owner may read": {"jobs", "--cluster", url, "--tls-ca", certificate,
			"--credential", open},
		"its certificate is not signed by the authority": asWorker("--tls-ca", other, "--credential", worker),
		"its certificate is signed by an unknown":        {"jobs", "--cluster", url, "--credential", worker},
		"its certificate is signed by an unknown a":      {"jobs", "--cluster", plain, "--credential", worker},
	} {
		cmd := prover(t, args...)
		text, _ := cmd.CombinedOutput() // the exit code is the result
		if code := exitCode(t, cmd); code != 1 || !strings.Contains(string(text), want) {
			t.Errorf("exit code %d, want words %q: %s", code, want, text)
		}
	}
}

// foreignServer starts a NATS server that this project did not configure: serve --nats creates a cluster in it, which
// a worker finds.
func foreignServer(t *testing.T, prover func(*testing.T, ...string) *exec.Cmd) {
	folder := t.TempDir()
	for _, args := range [][]string{{"client", "--role", "client"}, {"north"}} {
		args = append([]string{"credential", "--store", folder, "add"}, args...)
		if text, err := prover(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	list, err := prover(t, "credential", "--store", folder, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	var users []*natsserver.NkeyUser
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		fields := strings.Fields(line) // name, role, public key
		users = append(users, &natsserver.NkeyUser{Nkey: fields[2]})
	}
	credential := filepath.Join(folder, "credentials", "client.nk")
	s, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		JetStreamMaxStore: 2 << 30, MaxPayload: bus.MaxMessageBytes,
		Nkeys: users,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the foreign server does not start")
	}
	url := s.ClientURL()
	serve := []string{"serve", "--nats", url, "--credential", credential, "--prepare"}
	for _, tc := range []struct {
		code int
		says string
		args []string
	}{
		{1, "requires a credential", []string{"serve", "--nats", url}},
		{1, "stream not found", []string{"jobs", "--cluster", url, "--credential", credential}},
		{1, "the server's store is full", serve},
		{0, url + " has a cluster", append(serve, "--lease", "5s", "--store-limit", "1")},
		{0, "job ", []string{"jobs", "--cluster", url, "--credential", credential}},
	} {
		cmd := prover(t, tc.args...)
		text, _ := cmd.CombinedOutput()
		if code := exitCode(t, cmd); code != tc.code || !strings.Contains(string(text), tc.says) {
			t.Errorf("prover %q: exit code %d, want %d with words %q: %s", tc.args, code, tc.code, tc.says, text)
		}
	}
	worker := prover(t, "worker", "--nats", url, "--credential", filepath.Join(folder, "credentials", "north.nk"),
		"--backend", "cpu", "--host", "here")
	ready := stderr(t, worker)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, ready, "seat north/here/cpu0")
	until(t, ready, "no dispatcher hands out tasks: is prover serve running")
	serving := prover(t, "serve", "--nats", url, "--credential", credential, "--lease", "5s", "--store-limit", "1")
	told := start(t, serving)
	line(t, told)
	guest, err := filepath.Abs("../../../guests/elf/hashes.elf")
	if err != nil {
		t.Fatal(err)
	}
	text, err := prover(t, "prove", "--elf", guest, "--shards", "2", "--params", "test", "--proof",
		filepath.Join(t.TempDir(), "proof"), "--cluster", url, "--credential", credential).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for _, cmd := range []*exec.Cmd{worker, serving} {
		interrupt(t, cmd)
		if code := exitCode(t, cmd); code != 130 {
			t.Errorf("exit code %d, want 130", code)
		}
	}
}

// waitFor returns the first line that begins with words.
func waitFor(t *testing.T, r *bufio.Reader, words string) string {
	t.Helper()
	for {
		if text := line(t, r); strings.HasPrefix(text, words) {
			return text
		}
	}
}
