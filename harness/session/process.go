package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/internal/instructions"
)

// A Process starts a new process for each proof.
type Process struct {
	command Command
	argv    func(Request) ([]string, error)
	pid     atomic.Int64
	stops   atomic.Int64 // times that this proof's process was stopped or continued
}

// NewProcess returns a prover that runs argv(request) for each proof. It ignores the Argv of command.
func NewProcess(command Command, argv func(Request) ([]string, error)) *Process {
	return &Process{command: command, argv: argv}
}

// Ready returns the zero value: a process reports nothing about itself.
func (p *Process) Ready() Ready { return Ready{} }

// Close does nothing: no process outlives its proof.
func (p *Process) Close() error { return nil }

// PIDs returns the running process and its descendants.
func (p *Process) PIDs() []int {
	if pid := p.pid.Load(); pid != 0 {
		return group.Descendants(int(pid))
	}
	return nil
}

// Account returns the zero value: no process waits between proofs.
func (p *Process) Account() Account { return Account{} }

// Pause does nothing: no process waits between proofs.
func (p *Process) Pause() error { return nil }

// Prove runs one process to its end. The numbers of the metrics file count if there is one, else the wall time.
func (p *Process) Prove(ctx context.Context, r Request) (Proof, error) {
	if err := r.fresh(); err != nil {
		return Proof{}, err
	}
	command := p.command
	var err error
	if command.Argv, err = p.argv(r); err != nil {
		return Proof{}, err
	}
	stdin, stdout, err := command.redirect(r.Output)
	if err != nil {
		return Proof{}, err
	}
	defer closeAll(stdin, stdout)
	started := time.Now()
	child, err := start(command, stdin, stdout)
	if err != nil {
		return Proof{}, err
	}
	p.stops.Store(0)
	p.pid.Store(int64(child.cmd.Process.Pid))
	defer p.pid.Store(0)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watchStops(child.cmd.Process.Pid, func() { p.stops.Add(1) })
	}()
	err = child.finish(ctx)
	<-watched // it ends with the child
	if err == nil && p.stops.Load() > 0 {
		err = child.fail(wasStopped)
	}
	if err != nil {
		return Proof{}, err
	}
	proof := Proof{Started: started, WallSeconds: child.ended.Sub(started).Seconds()}
	return proof, p.accept(ctx, &proof, child, r)
}

// Run runs a program to its end. It returns an Error unless the program exits with status 0 within the timeout.
func Run(ctx context.Context, command Command) error {
	child, err := start(command, nil, nil)
	if err != nil {
		return err
	}
	if err := child.finish(ctx); err != nil {
		return err
	}
	return child.success()
}

// finish waits for the child within its timeout and kills what it left behind in its group.
func (c *child) finish(ctx context.Context) error {
	timer := time.NewTimer(c.command.Timeout)
	defer timer.Stop()
	select {
	case <-c.exited:
		c.kill()
		return nil
	case <-timer.C:
		c.kill()
		return c.fail("it did not finish within %v", c.command.Timeout)
	case <-ctx.Done():
		c.kill()
		return cancelled(ctx)
	}
}

// success returns an error unless the child exited with status 0.
func (c *child) success() error {
	if c.waitErr != nil {
		return c.fail("it %s", c.ending())
	}
	return nil
}

// accept reads the output files of the process.
func (p *Process) accept(ctx context.Context, proof *Proof, child *child, r Request) error {
	if err := child.success(); err != nil {
		return err
	}
	proof.Usage = child.usage()
	proof.Usage.Instructions = child.retired.Read().Since(instructions.Reading{})
	if r.Proof != "" {
		if err := proof.readProof(ctx, r.Proof, r.Optional, p.command); ctx.Err() != nil {
			return cancelled(ctx)
		} else if err != nil {
			return child.fail("%v", err)
		}
	}
	var read metricsFile
	if r.Metrics != "" && !r.Foreign {
		var err error
		if read, err = readMetrics(r.Metrics); err != nil {
			return child.fail("its metrics file: %v", err)
		}
	}
	proof.Metrics, proof.Counters = values(read.Metrics), values(read.Counters)
	proof.Claim, proof.ExactStatement = read.Claim, read.ExactStatement
	if _, ok := proof.Metrics[PrimarySeconds]; !ok {
		proof.WallTimed = true
		proof.Metrics[PrimarySeconds] = proof.WallSeconds
	}
	return nil
}

// mostMetrics bounds the size of a metrics file.
const mostMetrics = mostLine

// readMetrics reads a metrics file strictly.
func readMetrics(path string) (metricsFile, error) {
	var read metricsFile
	f, err := OpenWritten(path)
	if errors.Is(err, os.ErrNotExist) {
		return read, fmt.Errorf("no file at %s, although the command line names one", path)
	} else if err != nil {
		return read, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostMetrics+1))
	switch {
	case err != nil:
		return read, err
	case len(text) > mostMetrics:
		return read, fmt.Errorf("is larger than %d bytes", mostMetrics)
	}
	if err := decodeObject(text, &read); err != nil {
		return read, err
	}
	if read.Metrics == nil {
		return read, fmt.Errorf(`%s has no "metrics"`, excerpt(text))
	}
	return read, errors.Join(read.measurements.check(), read.Claim.check(),
		checkStatement("exact_statement", read.ExactStatement))
}
