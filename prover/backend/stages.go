package backend

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A proof is computed in stages. Each stage returns the next one, which holds what the stage left with the backend, so
// the compiler enforces the order:
//
//	Proof -Trace-> Traced -Count-> Columns[Main] -Commit-> Main -LogUp-> Columns[Witness] -Commit->
//	Witness -Quotient-> Columns[Committed] -Commit-> Committed -Open-> Opened -Deep-> Codeword
//	Codeword -Commit-> Layer -Fold-> Codeword, once for each layer
//	Codeword -Final-> Queries: Grind, Gather
//
// One goroutine takes a proof through its stages, and uses each stage once: its memory belongs to the next one
// afterwards. A stage that fails returns no next one, so all that remains is to close the proof.
type (
	// Proof is a proof whose memory is allocated.
	Proof interface {
		// Trace fills the main columns of every instance except the count columns, which stay zero. An execution of
		// other instances than the proof's is an error.
		Trace(execution machine.Execution) (Traced, error)
		// Close frees what the proof holds in any stage; the prover keeps its memory for the next proof. No stage of
		// the proof may be used afterwards. A second Close does nothing.
		Close()
	}

	// Traced is a proof with its trace.
	Traced interface {
		// Count fills the count columns with the number of times that tables and public messages look up each row of a
		// lookup entry. A message that no row of its entry has is an error wrapping ErrLookupMiss.
		Count(messages []circuit.Message) (Columns[Main], error)
	}

	// Columns are the columns of a phase (main, auxiliary or quotient) before they are committed to.
	Columns[Next any] interface {
		// Commit extends the columns, builds their tree and returns its cap, which is empty if there are no columns.
		Commit() ([]merkle.Digest, Next, error)
	}

	// Main is a proof with committed main columns.
	Main interface {
		// LogUp computes the auxiliary columns and returns the claimed sum of each instance with interactions, in
		// order. A proof without interactions has neither, whatever the challenges. A fingerprint of zero is an error
		// wrapping ErrZeroDenominator.
		LogUp(challenges protocol.LogUpChallenges) ([]goldilocks.Extension, Columns[Witness], error)
	}

	// Witness is a proof with committed main and auxiliary columns.
	Witness interface {
		// Quotient evaluates all constraints, weighs those of a class by the powers of the challenge and divides by the
		// vanishing polynomial: six columns a class, the two halves of the quotient.
		Quotient(constraint goldilocks.Extension) (Columns[Committed], error)
	}

	// Committed is a proof with all of its columns committed.
	Committed interface {
		// Open evaluates every committed column at z, and the columns read at the next row at g*z too, g being the
		// generator of the instance's trace domain.
		Open(z goldilocks.Extension) (protocol.Openings, Opened, error)
	}

	// Opened is a proof with its openings, which do not change any more.
	Opened interface {
		// Deep combines all columns of each class into one codeword over its extension domain: the sum of
		// coefficient*(f(x)-value)/(x-point). Coefficients have the shape of what Open returned.
		Deep(coefficients protocol.Coefficients) (Codeword, error)
	}

	// Codeword is the current FRI codeword, and those of smaller classes that join it later.
	Codeword interface {
		// Commit commits to the codeword in rows of 2^logArity consecutive entries.
		Commit(logArity int) ([]merkle.Digest, Layer, error)
		// Final interpolates the codeword, after the last fold, and returns its coefficients up to size/blowup. An
		// honest prover's higher coefficients are zero.
		Final() ([]goldilocks.Extension, Queries, error)
	}

	// Layer is a committed FRI codeword.
	Layer interface {
		// Fold folds the codeword with beta and adds beta^arity times the codeword that joins at the new size, if there
		// is one.
		Fold(beta goldilocks.Extension) (Codeword, error)
	}

	// Queries is a proof with all of its trees. Its methods may be called in any order.
	Queries interface {
		// Grind returns the smallest nonce that passes for the seed and the number of hashes tried, which is one more
		// than the nonce. With BLAKE3 the seed is the transcript's state, which absorbs the nonce under [NonceTag].
		Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error)
		// Gather opens all trees where the plans say. If front is not nil, the backend may write the proof's file
		// itself; see [Gathered]. It calls front once, while it works, for what comes before the opened rows.
		Gather(plans *protocol.Plans, front func() []byte) (*Gathered, error)
	}
)

// NonceTag is the tag of the nonce's message in both protocols' transcripts.
const NonceTag = 0x0c

// Gathered are the rows and siblings of the trees: in Phases and Layers, or in Written, encoded as section 8 of
// docs/spec/protocol.md says.
type Gathered struct {
	Phases [protocol.PhaseCount]merkle.Opening
	Layers []merkle.Opening

	// Written is what front returned, followed by the encoded openings, if the backend wrote them. It is the prover's
	// memory until the prover begins the next proof or is closed.
	Written []byte
}
