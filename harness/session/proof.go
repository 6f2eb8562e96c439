package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// A Prover makes proofs, one at a time.
type Prover interface {
	// Ready returns what the prover said of itself; it is empty in process mode.
	Ready() Ready
	// Prove makes one proof. After an error the prover is dead. One that is not an *Error comes from ctx or from the
	// harness's own files.
	Prove(ctx context.Context, r Request) (Proof, error)
	// PIDs returns the processes that live now.
	PIDs() []int
	// Account is what they have taken since the prover was opened; it is zero in process mode, where nothing waits.
	Account() Account
	// Pause stops them until the next request. It does nothing in process mode.
	Pause() error
	// Close ends the prover. An error says that it did not end in order.
	Close() error
}

// A Request asks for one proof.
type Request struct {
	ID   int64
	Seed uint64
	// Proof is the absolute path that the proof is written to. Nothing may be there.
	Proof string
	// Metrics is the absolute path of the metrics file, used in process mode only.
	Metrics string
	// Foreign says that another tool's results go to Metrics: they are the caller's to read.
	Foreign bool
	// Output, used in process mode only, is the absolute path of a file for standard output, which else goes to the log.
	Output string
	// Optional says that a session need not write the proof, which nobody verifies.
	Optional bool
}

// A Proof is one proof that was made, not yet verified.
type Proof struct {
	Metrics  map[string]float64
	Counters map[string]float64
	// WallTimed says that prove_seconds is the wall time, because the prover gave none.
	WallTimed bool
	// ExactStatement is what the prover says that this proof claims, empty where it cannot tell.
	ExactStatement string
	// Claim is what a process says beside it of statement and strength; a session says it in its Ready.
	Claim   Claim
	Started time.Time
	// WallSeconds is the time of the whole request, seen from outside.
	WallSeconds float64
	Usage       Usage
	// Waited is what a session took from its last reply, or from its ready line, to this request.
	Waited Account
	Bytes  int64
	SHA256 string
}

// Impossible says why the prover's own time cannot be, empty where it can: it runs inside of the wall time. Rounding to
// a millisecond, and a clock that runs fast by a thousandth, are let pass.
func (p Proof) Impossible() string {
	own := p.Metrics[PrimarySeconds]
	if p.WallTimed || own <= p.WallSeconds+max(0.001, 0.001*p.WallSeconds) {
		return ""
	}
	return fmt.Sprintf("it says that the proof took %s = %g, and the whole request took %g s", PrimarySeconds, own,
		p.WallSeconds)
}

// DefaultMaxProof bounds a proof where a command says nothing.
const DefaultMaxProof = 1 << 30

// readProof hashes the proof file within the timeout and the size of the command. One that is optional may be missing.
// An error that ends ctx is its cause.
func (p *Proof) readProof(ctx context.Context, path string, optional bool, command Command) error {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err) && optional:
		return nil
	case os.IsNotExist(err):
		return fmt.Errorf("it wrote no proof to %s", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("the proof %s is no regular file", path)
	case info.Size() == 0:
		return fmt.Errorf("it wrote an empty proof to %s", path)
	}
	most := command.MaxProof
	if most == 0 {
		most = DefaultMaxProof
	}
	limited, cancel := context.WithTimeoutCause(ctx, command.Timeout,
		fmt.Errorf("the proof %s could not be read within %v", path, command.Timeout))
	defer cancel()
	written, err := ReadWritten(limited, path, io.Discard, most)
	p.Bytes, p.SHA256 = written.Bytes, written.SHA256
	return err
}

// fresh makes sure that a file that is there afterwards was written by this proof.
func (r Request) fresh() error {
	for _, path := range []string{r.Proof, r.Metrics, r.Output} {
		if path == "" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is there already, before the proof that should write it", path)
		}
	}
	return nil
}
