package cluster

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// The environment of processes that these tests start: this binary again, as a worker or a server.
const (
	processKind = "CHIASMUS_CLUSTER_TEST" // worker or server
	processURL  = "CHIASMUS_CLUSTER_URL"  // of a server, where it listens
	processFile = "CHIASMUS_CLUSTER_FILE" // a credential; of a server, its folder
	processDies = "CHIASMUS_CLUSTER_DIES" // STEP at which the worker kills itself
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(processKind) {
	case "worker":
		err = workerProcess()
	case "server":
		err = serverProcess()
	default:
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func workerProcess() error {
	b, err := bus.Dial(bus.Options{URL: os.Getenv(processURL), Credential: os.Getenv(processFile)})
	if err != nil {
		return err
	}
	space, err := Open(context.Background(), b)
	if err != nil {
		return err
	}
	w, err := NewWorker(space, WorkerOptions{
		Name: WorkerRole, Host: "process", Devices: []Device{device("cpu")}, Build: build, Workers: 1,
		Log: func(line string) { fmt.Println(line) },
	})
	if err != nil {
		return err
	}
	dies := os.Getenv(processDies)
	w.at = func(step string) bool {
		fmt.Println("at", step)
		if step == dies {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return false
	}
	return w.Run(context.Background())
}

func serverProcess() error {
	s, err := server.Start(serverOptions(os.Getenv(processURL), os.Getenv(processFile)))
	if err != nil {
		return err
	}
	b, err := s.Inside()
	if err != nil {
		return err
	}
	space, err := Make(context.Background(), b, quick())
	if err != nil {
		return err
	}
	fmt.Println("serving", s.URL())
	return space.Dispatch(context.Background())
}

// process starts this binary again, and returns what it prints.
func process(t *testing.T, kind, url, file, dies string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), processKind+"="+kind, processURL+"="+url, processFile+"="+file, processDies+"="+dies)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, bufio.NewScanner(stdout)
}

// until reads lines up to one that contains words.
func until(t *testing.T, lines *bufio.Scanner, words string) string {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), words) {
			return lines.Text()
		}
	}
	t.Fatalf("it ends without saying %q: %v", words, lines.Err())
	return ""
}

// If a worker process is killed, at any step, another worker gets its task.
func TestKilledWorkers(t *testing.T) {
	for _, step := range []string{"taken", "committed", "proven", "stored", "reported", "acknowledged"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			a := cluster(t)
			killed, lines := process(t, "worker", a.URL(), a.Credential(WorkerRole), step)
			until(t, lines, "ready")
			o := order(t, 11, 60, 2)
			c := a.submit(t, o, coordination())
			died := make(chan error, 1)
			go func() {
				for lines.Scan() {
				}
				died <- killed.Wait()
			}()
			go func() {
				err := <-died
				if state := killed.ProcessState; err == nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Errorf("the worker ended otherwise than by the kill: %v", state)
				}
				died <- nil
				running(t, a.worker(t, WorkerRole, "heir"))
			}()
			proves(t, c, o)
			<-died
		})
	}
}

// A server process that is killed and restarted keeps its jobs, and clients and workers reconnect.
func TestRestartedServer(t *testing.T) {
	folder := t.TempDir()
	first, lines := process(t, "server", "127.0.0.1:0", folder, "")
	url := strings.Fields(until(t, lines, "serving"))[1]
	a := &arena{folder: folder, url: url}
	w := a.worker(t, WorkerRole, "one")
	restart := make(chan struct{})
	steps := 0
	w.at = func(step string) bool {
		if steps++; steps == 7 { // in the second task
			close(restart)
		}
		return false
	}
	go func() {
		<-restart
		_ = first.Process.Kill()
		_ = first.Wait()
		_, lines := process(t, "server", strings.TrimPrefix(url, "nats://"), folder, "")
		until(t, lines, "serving")
	}()
	o := order(t, 12, 100, 4)
	running(t, w)
	options := coordination()
	options.Progress = func(e Event) { t.Logf("%+v", e) }
	proves(t, a.submit(t, o, options), o)
}
