// Package aggregate turns proofs into one proof. The aggregator is a guest (guests/verifier): a run of it verifies
// other proofs, its children, and its public output is what they state. A proof of that run can be a child in turn:
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
// One program has all roles. The input names the role, the output names the kind of what is stated:
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
// A program cannot contain its own id. So the input says it, the output repeats it, and nobody believes it until the
// end: a child is an aggregation if the id of its program is the one that the input says, and then its output must
// repeat that id too. [Verify] compares the output's id with the id of the program that the outermost proof is of. From
// there down all are the same.
//
// # Parts
//
// A lift is given alpha, beta and K, the challenges that all shards share, and repeats them in its output. Joins want
// them equal. Only a root computes them, from the commitments of all shards, so parts state nothing: [Verify] accepts
// runs and batches alone, and a batch takes no parts. Position, number of shards and statement digest are in the output
// as well; from the root's position 0 and full width every part has the one position that is left.
//
// # Limits
//
// Every proof inside is refused below 128 proven bits. A lift does not know the other shards, so it computes the bits
// for 2^48 fractions, and bounds each shard to 2^40 fractions and 2^55 messages of a bus: 256 shards have at most 2^48
// and 2^63.
package aggregate
