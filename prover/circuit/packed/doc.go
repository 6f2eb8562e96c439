// Package packed stores the tables of a machine in few bytes, and reads them back. A program that only verifies proofs
// takes them instead of the declarations, whose code is ten times as large.
//
// A packed machine holds what the canonical form of its tables and buses holds (see [air.Table.AppendCanonical]), and
// the digest of that form in keys of protocol 3. To compute that digest takes a good part of a small proof's
// verification, so verifiers take it as packed. Whoever packs a machine must compare it with the declaration, as the
// tests of package known do.
//
// # Format
//
// The bytes are the Keccak-256 of all that follows, which finds damage, the digest of the canonical form, and a DEFLATE
// stream of five streams, each preceded by its length:
//
//	texts       names, each ended by a zero byte
//	operations  of the nodes, one byte each; bit 7 is set for a column of the next row
//	near        operands, one byte each: the distance to an earlier node below 64, or 0 for a far one
//	far         far operands: the difference to the last one in the same place of a node with the same operation
//	numbers     everything else
//
// Lengths and numbers are unsigned varints. Differences are zigzag varints. Most nodes of a table refer to nodes close
// by, or to columns one after another. So near and far repeat themselves and compress to less than a byte a node.
package packed
