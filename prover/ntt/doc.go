// Package ntt is the number-theoretic transform over the Goldilocks field and
// the low-degree extension of columns.
//
// The domain of size n = 2^k is H = <g>, g = goldilocks.RootOfUnity(k). A
// polynomial of n coefficients and its n values on a coset h*H determine each
// other. Coefficients are always in natural order. Values are in natural order
// (entry i at h*g^i) or in bit-reversed order (entry i at h*g^rev(i), rev
// reversing the k bits of i). The prover commits to bit-reversed values: in this
// order the first n entries of an extension to more points are the values on
// h*H themselves.
//
// [Forward] and [ForwardCoset] go from coefficients to bit-reversed values,
// [Inverse] from natural values to coefficients, [InverseBitReversed] and
// [InverseCosetBitReversed] from bit-reversed values to coefficients. [Extend]
// turns columns of values on H into their low-degree extensions, in place and
// without a pass over padding; [ExtendCoefficients] does it from coefficients,
// [ExtendCoset] from values on the first coset. All take many columns at a time.
// Workers take whole columns, and split each of those that do not go round. Columns
// of a call have one length.
//
// # Passes
//
// A transform is a sequence of passes of radix R: R rows are transformed column
// by column and multiplied by twiddles. R is at most 64, because the twiddles
// within a transform of 64 points are powers of two and multiplying by them is a
// shift; so a transform of 2^18 points has 18 levels of additions, but only 2
// general multiplications a point. A pass works on tiles, 8 columns of R rows: a
// tile is loaded once, transformed in registers and the first-level cache, and
// stored once.
//
// # Steps
//
// What costs in a large transform is going through a column that does not fit the
// second-level cache, in strides that are powers of two. So a transform goes
// through a column twice, whatever its size ([Extend], an inverse and several
// forward transforms, three times), and everything between stays in that cache.
// The column is a matrix of R rows of C entries: R is 64, so that C is as small as
// can be without further multiplications; from 2^19 on, where C would be too large,
// both are about the root of n.
//
//   - Interpolation takes strips, 8 columns of the matrix, transforms them over all
//     rows (one pass where R is 64), and writes them transposed and in sequence.
//     What were rows are columns now.
//   - Then it takes strips of the transposed matrix to a scratch strip of C rows,
//     goes through as many passes as it takes, and has coefficients.
//   - Evaluation takes such strips the other way round. An extension does it for
//     every coset while a tile of coefficients is in the first-level cache, and
//     writes values over the strip it read, block by block of the extension.
//   - Last, evaluation transforms rows of R values, which stand in sequence, in
//     place.
//
// Evaluation on a coset h*H needs coefficient j times h^j. With j = r*R + c the
// factor of the row r is applied to the tile of coefficients (by the last pass of
// interpolation where there is one), and h^c is part of the last twiddles across.
// The 1/n of the inverse is part of its twiddles too.
//
// Where a pass reads a column, rows that it needs two tiles later are fetched
// ahead. The twiddles between the two steps, n of them, are a table up to 2^16
// points; beyond, each tile's are computed from those of the tile before.
//
// # Limits
//
// The passes are bound by the vector units' ports. With AVX-512 a register of 8
// entries takes 6.5 instructions for each of the 6 levels of a pass of radix 64, 24
// for a general multiplication and 3 for a transposition; two go a clock. An
// extension of 2^17 values to twice as many points, 51 levels with 8 general
// multiplications and 2 more for computed twiddles, is 583 instructions a register
// or 36 clocks a value. On a core at 3.9 GHz with 2 MiB of second-level cache that is
// 9.3 ns; measured were 11.5, which is 0.22 ns a value and level, as from 2^12 on. At
// 2^18 it is 0.22 to 0.25, and 0.3 from 2^19 on, where a transform takes four passes. At
// least 32 bytes a value go to and from memory, which at 6.5 GB/s for each of two
// cores is 5 ns, most of it at the same time.
package ntt
