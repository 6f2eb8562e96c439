// Package packed reads the tables of a machine from a compact encoding. A program that only verifies proofs links them
// instead of the declarations, whose code is ten times as large.
//
// A packed machine has the contents of the canonical form of its tables and buses (see [air.Table.AppendCanonical]) and
// the digest of that form in keys of protocol 3. Computing that digest would take a large part of the time to verify a
// small proof, so verifiers use the packed one without checking it. The tests of package known compare packed machines
// with the declarations.
//
// # Format
//
// The encoding is the Keccak-256 of the rest, which detects damage, the digest of the canonical form, and a DEFLATE
// stream of five streams, each preceded by its length:
//
//	texts       names, each ended by a zero byte
//	operations  of the nodes, one byte each; bit 7 is set for a column of the next row
//	near        operands, one byte each: the distance to an earlier node below 64, or 0 for a far one
//	far         far operands: the difference to the previous far operand in the same position of the same operation
//	numbers     everything else
//
// Lengths and numbers are unsigned varints. Differences are zigzag varints. Most nodes of a table refer to nearby nodes
// or to consecutive columns. So near and far repeat themselves and compress to less than a byte per node.
package packed
