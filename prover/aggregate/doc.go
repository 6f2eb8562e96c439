// Package aggregate turns proofs into one proof. The aggregator is a guest (guests/verifier). A run of it verifies
// other proofs, its children, and its public output has their statements. A proof of that run can be a child in turn:
//
//	  file: statements of a, b, c + one proof
//	                 |
//	            batch (root, 3 runs)
//	           /            \
//	    batch (root, 2)    one (c)
//	     /       \            |
//	proof of a  proof of b  proof of c          any program of rv64im
//
// A run in many shards is verified in parts, and the parts are joined:
//
//	root: the run's statement <- join <- lift of shards 0 to 3
//	                                  <- lift of shards 4 to 7
//
// One program has all roles. The input names the role, and the output names the kind of its statement:
//
//	role        children                   output
//	statements  1 proof of any program     run: its statement
//	statements  1 aggregation              the same as the child's
//	statements  2 to 255 of either         batch: the Merkle root of their statements, and the number of runs
//	lift        1 to 256 shards of a run   part: their position, their subtree's root, their challenges
//	join        parts that are adjacent    part
//	root        parts that are the run     run
//
// A statement is the program id, the image digest, the exit code, the cycles, and SHA-256 of the public input and
// output: 144 bytes. Its leaf is list 10 of these bytes, and a batch's root list 9 of its children's leaves and roots
// (docs/spec/protocol.md, section 14, has lists).
//
// # The aggregator's own id
//
// A program cannot contain its own id. Instead, the input claims an id, and the output repeats it. A child is an
// aggregation if its program has the claimed id, and then its output must repeat that id, too. Only [Verify] checks the
// claim: it compares the id in the output with the id of the outermost proof's program. By induction, all ids below are
// equal.
//
// # Parts
//
// A lift's input has alpha, beta and K, the challenges that all shards share, and its output repeats them. A join
// requires equal challenges. Only a root computes the challenges, from the commitments of all shards, so a part alone
// states nothing: [Verify] accepts only runs and batches, and a batch does not accept parts. The output also has the
// position, the number of shards and the statement's digest. The root has position 0 and full width, which determines
// the position of every part.
//
// # Limits
//
// The aggregator rejects proofs with fewer than 128 proven bits. A lift does not know the other shards, so it computes
// the bits for 2^48 fractions, and bounds each shard to 2^40 fractions and 2^55 messages of a bus: 256 shards have at
// most 2^48 and 2^63.
package aggregate
