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
	// Ready returns what the prover reported about itself. It is empty in process mode.
	Ready() Ready
	// Prove makes one proof. After an error the prover is dead. An error that is not an *Error comes from ctx or from the
	// harness's own files.
	Prove(ctx context.Context, r Request) (Proof, error)
	// PIDs returns the live processes.
	PIDs() []int
	// Account returns what they have consumed since the prover was opened. It is zero in process mode, where no process
	// waits.
	Account() Account
	// Pause stops them until the next request. It does nothing in process mode.
	Pause() error
	// Close ends the prover. It returns an error if the prover did not end in an orderly way.
	Close() error
}

// A Request asks for one proof.
type Request struct {
	ID   int64
	Seed uint64
	// Proof is the absolute path to write the proof to. The file must not exist.
	Proof string
	// Metrics is the absolute path of the metrics file, used only in process mode.
	Metrics string
	// Foreign means that another tool writes its results to Metrics, and the caller reads them.
	Foreign bool
	// Output is the absolute path of a file for standard output, used only in process mode. If it is empty, standard
	// output goes to the log.
	Output string
	// Optional means that a session need not write the proof, because no verifier reads it.
	Optional bool
}

// A Proof is one proof that was made but not verified yet.
type Proof struct {
	Metrics  map[string]float64
	Counters map[string]float64
	// WallTimed means that prove_seconds is the wall time, because the prover reported none.
	WallTimed bool
	// ExactStatement is what the prover reports that this proof claims. It may be empty.
	ExactStatement string
	// Claim is a process's report of statement and strength. A session reports them in its Ready.
	Claim   Claim
	Started time.Time
	// WallSeconds is the duration of the whole request, measured from outside.
	WallSeconds float64
	Usage       Usage
	// Waited is what a session consumed between its last reply, or its ready line, and this request.
	Waited Account
	Bytes  int64
	SHA256 string
}

// Impossible explains why the prover's own time is impossible, or returns "". That time lies inside the wall time. A
// rounding error of a millisecond and a clock that is fast by a thousandth are tolerated.
func (p Proof) Impossible() string {
	own := p.Metrics[PrimarySeconds]
	if p.WallTimed || own <= p.WallSeconds+max(0.001, 0.001*p.WallSeconds) {
		return ""
	}
	return fmt.Sprintf("it says that the proof took %s = %g, and the whole request took %g s", PrimarySeconds, own,
		p.WallSeconds)
}

// defaultMaxProof bounds the size of a proof by default.
const defaultMaxProof = 1 << 30

// readProof hashes the proof file within the command's timeout and size limit. An optional proof may be missing. If ctx
// ended, the error is its cause.
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
		return fmt.Errorf("the proof %s is not a regular file", path)
	case info.Size() == 0:
		return fmt.Errorf("it wrote an empty proof to %s", path)
	}
	most := command.MaxProof
	if most == 0 {
		most = defaultMaxProof
	}
	limited, cancel := context.WithTimeoutCause(ctx, command.Timeout,
		fmt.Errorf("the proof %s could not be read within %v", path, command.Timeout))
	defer cancel()
	written, err := ReadWritten(limited, path, io.Discard, most)
	p.Bytes, p.SHA256 = written.Bytes, written.SHA256
	return err
}

// fresh fails if an output file exists already, so that a file found later was written by this proof.
func (r Request) fresh() error {
	for _, path := range []string{r.Proof, r.Metrics, r.Output} {
		if path == "" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s already exists, before the proof that should write it", path)
		}
	}
	return nil
}
