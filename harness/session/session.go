package session

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A Session is a child that proves on request. It is not safe for concurrent use.
type Session struct {
	child  *child
	stdin  *os.File
	stdout *os.File
	lines  chan line
	stop   chan struct{}
	ready  Ready
	dead   bool
	paused bool
	// spoken is the account at its last line.
	spoken Account
}

// Open starts a session and waits until it is ready.
func Open(ctx context.Context, command Command) (*Session, error) {
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		stdin.Close()
		return nil, err
	}
	child, err := start(command, childIn, childOut)
	childIn.Close()
	childOut.Close()
	if err != nil {
		stdin.Close()
		stdout.Close()
		return nil, err
	}
	s := &Session{child: child, stdin: stdin, stdout: stdout, lines: make(chan line, 1), stop: make(chan struct{})}
	go readLines(stdout, child.account, s.lines, s.stop)
	first, err := s.next(ctx, time.Now().Add(command.Timeout), "become ready")
	if err != nil {
		return nil, err
	}
	if s.ready, err = parseReady(first.text); err != nil {
		return nil, s.failed("its first line: %v", err)
	}
	s.spoken = first.taken
	return s, nil
}

// Ready returns what the session reported about itself.
func (s *Session) Ready() Ready { return s.ready }

// PIDs returns the process of the session and its descendants.
func (s *Session) PIDs() []int {
	if s.dead {
		return nil
	}
	return group.Descendants(s.child.cmd.Process.Pid)
}

// Account returns what the processes of the session have consumed since it was opened.
func (s *Session) Account() Account {
	if s.dead {
		return Account{}
	}
	return s.child.account()
}

// Prove makes one proof. After an error the session is dead.
func (s *Session) Prove(ctx context.Context, r Request) (Proof, error) {
	if s.dead {
		return Proof{}, errors.New("the session has ended")
	}
	if err := r.fresh(); err != nil {
		return Proof{}, err
	}
	if err := s.quiet(); err != nil {
		return Proof{}, err
	}
	line := request{"prove", r.ID, r.Seed, r.Proof, nil}
	if s.ready.HashOptional {
		line.Hash = new(bool) // readProof hashes the file
	}
	text, err := json.Marshal(line)
	if err != nil {
		return Proof{}, err
	}
	if err := s.resume(); err != nil {
		return Proof{}, err
	}
	pid := s.child.cmd.Process.Pid
	interrupted(pid) // by Pause, or while it was idle
	resetPeaks(pid)
	retired := s.child.retired.Read()
	asked := s.child.account() // read last: earlier consumption does not belong to this request
	started := time.Now()
	// A session that has ended gets a better error below than a broken pipe.
	if _, err := s.stdin.Write(append(text, '\n')); err != nil && !s.child.wait(reap) {
		return Proof{}, s.failed("it closed its input but kept running: %v", err)
	}
	answer, err := s.next(ctx, started.Add(s.child.command.Timeout), "answer")
	if err != nil {
		return Proof{}, err
	}
	if interrupted(pid) {
		return Proof{}, s.failed(wasStopped)
	}
	waited := asked.Since(s.spoken)
	s.spoken = answer.taken
	proof := Proof{
		Started: started, WallSeconds: answer.at.Sub(started).Seconds(), Waited: waited,
		Usage: Usage{
			CPUSeconds:   s.spoken.Since(asked).CPUSeconds,
			MaxRSSBytes:  largestPeak(pid),
			Instructions: s.child.retired.Read().Since(retired),
		},
	}
	return proof, s.accept(ctx, &proof, answer.text, r)
}

// wasStopped explains why the time of a proof is discarded.
const wasStopped = "it was stopped and continued by a signal while it proved, so its time is meaningless " +
	"(isolation prevents the other revision from doing this)"

// accept checks the reply and the proof file against each other.
func (s *Session) accept(ctx context.Context, proof *Proof, text []byte, r Request) error {
	answer, err := parseProof(text, r.ID)
	if err != nil {
		return s.failed("its reply: %v", err)
	}
	if !*answer.OK {
		return s.failed("it could not prove: %s", answer.Error)
	}
	err = proof.readProof(ctx, r.Proof, r.Optional, s.child.command)
	switch {
	case ctx.Err() != nil:
		s.end()
		return cancelled(ctx)
	case err != nil:
		return s.failed("%v", err)
	}
	if answer.ProofBytes != nil && *answer.ProofBytes != proof.Bytes {
		return s.failed("its reply says proof_bytes %d, the proof has %d", *answer.ProofBytes, proof.Bytes)
	}
	if answer.ProofSHA256 != "" && answer.ProofSHA256 != proof.SHA256 {
		return s.failed("its reply says proof_sha256 %s, the proof has %s", answer.ProofSHA256, proof.SHA256)
	}
	proof.Metrics, proof.Counters, proof.ExactStatement = values(answer.Metrics), values(answer.Counters),
		answer.ExactStatement
	return nil
}

// quiet fails if the session has written anything unsolicited.
func (s *Session) quiet() error {
	select {
	case stray := <-s.lines:
		if stray.err != nil {
			return s.ended(stray.err)
		}
		return s.failed("it wrote %s when nothing was asked", excerpt(stray.text))
	default:
		return nil
	}
}

// next returns the next line, or an error that explains why there is none.
func (s *Session) next(ctx context.Context, deadline time.Time, what string) (line, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	exited := s.child.exited
	for {
		select {
		case l := <-s.lines:
			if l.err != nil {
				return line{}, s.ended(l.err)
			}
			return l, nil
		case <-exited:
			// Output written before its end is still read. A descendant may hold the pipe open for longer.
			exited = nil
			timer.Reset(min(reap, time.Until(deadline)))
		case <-timer.C:
			if exited == nil {
				return line{}, s.ended(io.EOF)
			}
			return line{}, s.failed("it did not %s within %v", what, s.child.command.Timeout)
		case <-ctx.Done():
			s.end()
			return line{}, cancelled(ctx)
		}
	}
}

// ended explains why the session's output ended.
func (s *Session) ended(reason error) error {
	if !errors.Is(reason, io.EOF) || !s.child.wait(reap) {
		if errors.Is(reason, io.EOF) {
			return s.failed("it closed its output but kept running")
		}
		return s.failed("its output: %v", reason)
	}
	return s.failed("it %s", s.child.ending())
}

// failed kills the session and makes an Error with the end of its log.
func (s *Session) failed(format string, arguments ...any) error {
	s.end()
	return s.child.fail(format, arguments...)
}

// end kills the remaining processes of the session.
func (s *Session) end() {
	if s.dead {
		return
	}
	s.dead = true
	s.stdin.Close()
	s.child.kill()
	close(s.stop)
	s.stdout.Close()
}

// Close asks the session to exit and kills it if it does not.
func (s *Session) Close() error {
	if s.dead {
		return nil
	}
	if err := s.resume(); err != nil {
		return err
	}
	_, _ = s.stdin.WriteString(exitLine)
	s.stdin.Close()
	if atMost := max(reap, s.child.command.Linger); !s.child.wait(atMost) {
		return s.failed("it did not exit within %v when asked to", atMost)
	}
	if s.child.waitErr != nil {
		return s.failed("asked to exit, it %s", s.child.ending())
	}
	s.end()
	return nil
}
