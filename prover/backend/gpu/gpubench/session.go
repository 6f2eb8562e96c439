package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// sessionSchema is the contract of `prover session` that this command reads.
const sessionSchema = "chiasmus.session/1"

// ready is a session's first line.
type ready struct {
	Schema       string  `json:"schema"`
	Event        string  `json:"event"`
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"`
	Statement    string  `json:"statement"`
	SecurityBits int     `json:"security_bits"`
}

// reply answers a request.
type reply struct {
	Event      string             `json:"event"`
	ID         int                `json:"id"`
	OK         bool               `json:"ok"`
	Error      string             `json:"error"`
	Metrics    map[string]float64 `json:"metrics"`
	Counters   map[string]float64 `json:"counters"`
	ProofBytes float64            `json:"proof_bytes"`
}

// session is a running prover.
type session struct {
	cmd     *exec.Cmd
	input   io.WriteCloser
	lines   chan []byte
	unread  error // why lines ended before the output did; set before lines is closed
	log     logBuffer
	ready   ready
	timeout time.Duration
	next    int
}

// logBuffer keeps a process's output while others read it.
type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// refusedError says why a prover ended before it was ready: a proof that does not fit, a device that is missing.
type refusedError struct{ reason string }

func (e *refusedError) Error() string { return e.reason }

// openSession starts a prover and waits until it is ready.
func (b *bench) openSession(ctx context.Context, arguments ...string) (*session, error) {
	s := &session{cmd: exec.CommandContext(ctx, b.path("prover"), append([]string{"session"}, arguments...)...),
		lines: make(chan []byte), timeout: b.timeout}
	s.cmd.Stderr = &s.log
	var err error
	if s.input, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(output)
	line, err := s.line(ctx)
	if errors.Is(err, io.EOF) {
		failure := s.cmd.Wait() // after the end of its output the log is whole
		return nil, &refusedError{fmt.Sprintf("%s (%v)", lastLines(s.log.String(), 2), failure)}
	}
	if err == nil {
		err = json.Unmarshal(line, &s.ready)
	}
	if err == nil && (s.ready.Schema != sessionSchema || s.ready.Event != "ready") {
		err = fmt.Errorf("its first line is %q, want the event ready of %s", line, sessionSchema)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("session: %w", err), s.kill())
	}
	return s, nil
}

func (s *session) read(output io.Reader) {
	defer close(s.lines)
	scanner := bufio.NewScanner(output)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		s.lines <- bytes.Clone(scanner.Bytes())
	}
	s.unread = scanner.Err()
}

// line waits for a line. It returns io.EOF at the end of the output.
func (s *session) line(ctx context.Context) ([]byte, error) {
	select {
	case line, ok := <-s.lines:
		if !ok && s.unread != nil {
			return nil, fmt.Errorf("read the session's output: %w", s.unread)
		}
		if !ok {
			return nil, io.EOF
		}
		return line, nil
	case <-time.After(s.timeout):
		return nil, fmt.Errorf("no answer in %s", s.timeout)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// prove asks for a proof with a seed, written to a file.
func (s *session) prove(ctx context.Context, seed uint64, proof string) (*reply, error) {
	s.next++
	request, err := json.Marshal(map[string]any{"op": "prove", "id": s.next, "seed": seed, "proof": proof})
	if err != nil {
		return nil, err
	}
	if _, err := s.input.Write(append(request, '\n')); err != nil {
		return nil, fmt.Errorf("session: %w: %s", err, lastLines(s.log.String(), 3))
	}
	line, err := s.line(ctx)
	if err != nil {
		return nil, fmt.Errorf("session, proof %d: %w", s.next, err)
	}
	r := &reply{}
	if err := json.Unmarshal(line, r); err != nil || r.Event != "proof" || r.ID != s.next {
		return nil, fmt.Errorf("session, proof %d: the reply is %q", s.next, line)
	}
	if !r.OK {
		return nil, fmt.Errorf("session, proof %d: %s", s.next, r.Error)
	}
	return r, nil
}

// close ends the session and waits for it.
func (s *session) close() error {
	_, err := io.WriteString(s.input, "{\"op\":\"exit\"}\n")
	if err = errors.Join(err, s.input.Close()); err != nil {
		return errors.Join(err, s.kill())
	}
	stop := time.AfterFunc(s.timeout, func() { _ = s.cmd.Process.Kill() })
	defer stop.Stop()
	for range s.lines { // discard further output
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("session: %w: %s", err, lastLines(s.log.String(), 3))
	}
	return nil
}

// kill ends a session that violated the contract. Termination by the signal is then not an error.
func (s *session) kill() error {
	err := s.cmd.Process.Kill()
	for range s.lines {
	}
	_ = s.cmd.Wait()
	return err
}
