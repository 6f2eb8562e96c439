package cli

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/prove"
)

func (p *program) sessionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session (--machine NAME | --elf PROGRAM.elf) (--size N | --input FILE | --inputs FOLDER)",
		Short: "Prove repeatedly, on requests in JSON Lines on stdin",
		Long: `Prove one workload repeatedly in one process (schema ` + sessionSchema + `).

The session reads one request a line from stdin and writes one reply a line to stdout, and nothing else; logs go to
stderr. A synthetic input is drawn from each request's seed; with a file, the seed is ignored. A program's synthetic
input is its private input of --size bytes; without --size, its input is --input, or empty. With --inputs, the files of
FOLDER, sorted by name, are private inputs: a request's seed, modulo their number, is the index of its input. The
session ends with {"op":"exit"} or at the end of stdin (exit code 0), and with exit code 1 when the device is lost. At
the first SIGINT or SIGTERM it answers the current request and ends with exit code 130; at the second it stops
proving.`,
		Args: Exactly(),
	}
	work := addWorkloadFlags(cmd.Flags())
	cmd.Flags().StringVar(&work.inputsPath, "inputs", "",
		"private inputs of a program: the files of `FOLDER`; a request's seed chooses one")
	work.shards.add(cmd.Flags())
	work.shards.addDevices(cmd.Flags())
	work.shards.addParts(cmd.Flags())
	backends := p.addBackendFlags(cmd.Flags())
	cmd.RunE = func(*cobra.Command, []string) error { return p.session(work, backends) }
	return cmd
}

func (p *program) session(work *workload, backends *backendFlags) (err error) {
	start := time.Now()
	if work.inputPath == "-" {
		return Usagef("--input -: a session reads requests from stdin")
	}
	if err := work.resolve(p.stdin); err != nil {
		return err
	}
	if err := writable("--trace-out", backends.traceOut); err != nil {
		return err
	}
	if work.shards.memory > 0 {
		b, err := p.backendFor(backends, work.shards.devices)
		if err != nil {
			return err
		}
		if err := p.chooseShards(context.Background(), work, b, true, false); err != nil {
			return err
		}
	}
	e, err := p.start(context.Background(), work, backends, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return p.sessionOf(e, start)
}

// sessionOf reports that the session is ready, and answers requests.
func (p *program) sessionOf(e *engine, start time.Time) error {
	peak, err := e.ready.peak()
	if err != nil {
		return err
	}
	ready := readyEvent{
		Schema: sessionSchema, Event: "ready", HashOptional: true, Backend: e.name(),
		Device: strings.Join(deviceNames(e.devices), ", "), SecurityBits: e.ready.bits(),
		Statement: hex.EncodeToString(e.statement[:]),
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	defer settleHeap(e.onDevice())()
	fmt.Fprintf(p.stderr, "session: machine %s on %s, %d proven bits, predicted peak %s\n",
		e.work.program.Machine().Name, ready.Backend, ready.SecurityBits, bytesText(peak))
	watchHostMemory() // for the first proof; serve resets it after each reply, when no client waits
	ready.SetupSeconds = time.Since(start).Seconds()
	if err := p.send(ready); err != nil {
		return err
	}
	return p.serve(e, signals)
}

// serve answers requests until exit, the end of stdin, or a signal.
func (p *program) serve(e *engine, signals <-chan os.Signal) error {
	done := make(chan struct{})
	defer close(done)
	lines, failed := p.readLines(done)
	garbage := collector{onDevice: e.onDevice()}
	for {
		select {
		case <-signals:
			return errInterrupted
		case line, ok := <-lines:
			if !ok {
				return <-failed
			}
			received := time.Now()
			exit, err := p.answer(e, line, received, signals)
			if err != nil || exit {
				return err
			}
			garbage.afterProof()
			watchHostMemory()
		}
	}
}

// readLines delivers stdin line by line. After the last line it closes the channel and sends the error that ended the
// stream, nil at its end.
func (p *program) readLines(done <-chan struct{}) (<-chan []byte, <-chan error) {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(p.stdin)
		scanner.Buffer(nil, maxRequest)
		for scanner.Scan() {
			line := append([]byte(nil), scanner.Bytes()...)
			select {
			case lines <- line:
			case <-done:
				return
			}
		}
		switch err := scanner.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			failed <- fmt.Errorf("stdin: a line is longer than %s, the limit of a request", bytesText(maxRequest))
		case err != nil:
			failed <- fmt.Errorf("stdin: %w", err)
		default:
			failed <- nil
		}
	}()
	return lines, failed
}

// answer serves one request. It returns an error only if the session cannot answer further requests.
func (p *program) answer(e *engine, line []byte, received time.Time,
	signals <-chan os.Signal) (exit bool, err error) {
	r, err := parseRequest(line)
	if err != nil {
		return false, p.fail(r, err)
	}
	if *r.Op == "exit" {
		return true, nil
	}
	if err := placed(`"proof"`, *r.Proof); err != nil {
		return false, p.fail(r, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	interrupted := watchSignals(signals, cancel)
	begun := sync.OnceFunc(func() { fmt.Fprintf(p.stderr, "session: request %s, seed %d\n", r.ID, *r.Seed) })
	// A run that can execute while its proof is made does so once it reports that it has begun.
	write, drop := p.writer(*r.Proof, e.onDevice())
	var reply delivery
	result, err := e.prove(ctx, *r.Seed, received, func(prove.Stage) { begun() }, func(encoded []byte) {
		reply = deliver(encoded, r.hashed(), write)
	})
	if err == nil {
		err = reply.err
	}
	if err == nil {
		p.proofBytes = len(result.encoded)
		result.Metrics["reply_prepare_seconds"] = max(reply.begun.Sub(received).Seconds()-result.Metrics["prove_seconds"], 0)
		result.Metrics["reply_write_seconds"] = reply.write.Seconds()
		if r.hashed() {
			result.Metrics["reply_hash_seconds"] = reply.hash.Seconds()
		}
	}
	drop()
	ended := interrupted()
	cancel(nil)
	if err != nil {
		err = errors.Join(p.fail(r, err), e.ended())
	} else {
		err = p.send(proofEvent{
			Event: "proof", ID: r.ID, OK: true, measurements: result.measurements,
			ExactStatement: hex.EncodeToString(result.statement[:]),
			ProofBytes:     len(result.encoded), ProofSHA256: reply.sum,
		})
	}
	if err == nil && ended {
		err = errInterrupted
	}
	return false, err
}

// writer returns a function that writes a proof to its path, and a cleanup function that must be called in any case.
// While a device proves, the processors allocate the file, with the size of the last proof.
func (p *program) writer(path string, onDevice bool) (write func([]byte) error, drop func()) {
	if info, err := os.Stat(path); !onDevice || err == nil && !info.Mode().IsRegular() {
		return func(data []byte) error { return writeWhole(path, data) }, func() {}
	}
	file := sync.OnceValue(beginPending(path, p.proofBytes))
	return func(data []byte) error { return file().put(data) }, func() { file().drop() }
}

// watchSignals cancels at the second signal. The function that it returns stops watching and reports whether any signal
// arrived.
func watchSignals(signals <-chan os.Signal, cancel context.CancelCauseFunc) func() bool {
	stop, seen := make(chan struct{}), make(chan int)
	go func() {
		count := 0
		for {
			select {
			case <-signals:
				if count++; count == 2 {
					cancel(errInterrupted)
				}
			case <-stop:
				seen <- count
				return
			}
		}
	}()
	return func() bool {
		close(stop)
		return <-seen > 0
	}
}

func (p *program) fail(r request, cause error) error {
	return p.send(failureEvent{Event: "proof", ID: r.ID, OK: false, Error: cause.Error()})
}
