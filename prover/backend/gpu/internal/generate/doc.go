// Package generate writes CUDA for a table's expression graph.
//
// Its input is an [air.Table], its output text in the dialect of the kernels, which NVRTC compiles for a GPU and g++
// for the software device. The same table always gives the same bytes. The package neither uses nor imports a device.
//
// # Runs
//
// The constraints of one row are very regular: keccak-f has 1,920 constraints x*x - x and 1,600 terms of one form.
// Straight-line code for all of them takes minutes to compile. The unit of evaluation in a row is an [Item]. Items
// whose graphs differ only in the columns they read become a [Run]: one body in a loop, with the column numbers in a
// table in constant memory. A loop costs a few instructions an item, and the body needs fewer registers than the
// number at which compilers begin to spill.
//
// # Rows
//
// Generated code reads cells, public values and selectors of an object named row, and so does not know which domain it
// works on. The file rows.cuh, with which every unit begins, has that object for the trace domain in natural order and
// for the extension in bit-reversed order.
//
// # Values
//
// A value is a 64-bit word, either canonical (below p) or any residue. Multiplications take and return residues, an
// addition needs one canonical operand, and a subtraction needs a canonical subtrahend. The writer tracks this, and
// reduces a word only where needed. It writes a value at its first use, so that the value lives no longer than
// necessary.
//
// # Quotients
//
// [NewQuotient] writes the kernels that add up a table's constraints, each times its power of the challenge:
//
//   - A sum of many terms times powers of two is cut into its terms; other constraints stay whole. The results are
//     pieces. Each piece has its weight in the sum of all constraints.
//   - Pieces that read the same cells become a cluster, so a cell is loaded once for all of them. Clusters of one form
//     are a run. In keccak-f a cluster contains the constraints of one bit of a column.
//   - Values that depend only on cells that very many pieces read, such as sums of flags, are kept: each thread
//     computes them once. Pieces that differ only in which kept values they read then have the same form.
//   - A piece is weighed: three products are added up without reduction. But a piece that continues from cluster to
//     cluster as a term of the same sum is packed by Horner's rule. Its own sums and products stay unreduced, and the
//     packed sum is weighed after up to 28 terms. A cluster's packed sums may end in different positions.
//   - Exclusive ors of one product with several cells are packed differently: the product is multiplied by the power of
//     two before it is reduced, and its products with the cells are added up whole.
//   - Packed exclusive ors with (1 - x) y and (1 - y) z, as in chi, share one product.
//   - Loops read their cells ahead: a few cells into registers, one turn ahead, or more into shared memory, two turns
//     ahead. Addresses of consecutive columns are stepped instead of looked up.
//   - Long loops over short pieces weigh on tensor cores, where a weighed sum is a product of matrices of bytes.
//   - Constraints of low degree go into kernels for n entries, the others into kernels for 2n.
//
// # Buses
//
// [Buses] writes the kernels of a machine's buses: they evaluate the fractions of a table's batches and the contents of
// lookup entries, and count the messages that tables and public messages send to an entry.
package generate
