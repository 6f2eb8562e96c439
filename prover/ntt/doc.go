// Package ntt is the number-theoretic transform over the Goldilocks field and the low-degree extension of columns.
//
// The domain of size n = 2^k is H = <g>, g = goldilocks.RootOfUnity(k). A polynomial of n coefficients and its n values
// on a coset h*H determine each other. Coefficients are always in natural order. Values are in natural order (entry i
// at h*g^i) or in bit-reversed order (entry i at h*g^rev(i), rev reversing the k bits of i). The prover commits to
// bit-reversed values: in this order the first n entries of an extension to more points are the values on h*H
// themselves.
//
// [ForwardCoset] goes from coefficients to bit-reversed values, [Inverse] from natural values to coefficients,
// [InverseBitReversed] and [InverseCosetBitReversed] from bit-reversed values to coefficients. [Extend] turns columns
// of values on H into their low-degree extensions, in place and without a pass over padding; [ExtendCoefficients]
// starts from coefficients, [ExtendCoset] from values on the first coset. Each takes many columns of one length.
// Workers take whole columns, and share the columns that remain.
//
// # Passes
//
// A transform is a sequence of passes of radix R: each transforms R rows column by column and multiplies them by
// twiddles. R is at most 64, because the twiddles within a transform of 64 points are powers of two and multiplying by
// them is a shift; so a transform of 2^18 points has 18 levels of additions, but only 2 general multiplications per
// point. A pass works on tiles, 8 columns of R rows: it loads a tile once, transforms it in registers and the
// first-level cache, and stores it once.
//
// # Steps
//
// The cost of a large transform is reading a column that does not fit the second-level cache, in strides that are
// powers of two. So a transform reads a column twice at any size ([Extend], an inverse and several forward transforms,
// three times), and everything between stays in that cache. The column is a matrix of R rows of C entries. R is 64, so
// that C is as small as it can be without further multiplications; from 2^19 on, where C would be too large, both are
// about the root of n.
//
//   - Interpolation takes strips, 8 columns of the matrix, transforms them over all rows (one pass if R is 64), and
//     writes them transposed and in sequence. Rows have become columns.
//   - Then it copies strips of the transposed matrix to a scratch strip of C rows, and transforms them to coefficients
//     in as many passes as necessary.
//   - Evaluation processes such strips in the reverse order. An extension does so for every coset while a tile of
//     coefficients is in the first-level cache, and writes values over the strip it read, block by block of the
//     extension.
//   - Last, evaluation transforms rows of R consecutive values in place.
//
// Evaluation on a coset h*H needs coefficient j times h^j. With j = r*R + c the factor of the row r is applied to the
// tile of coefficients (by the last pass of interpolation where there is one), and h^c is part of the last twiddles
// across. The 1/n of the inverse is part of its twiddles too.
//
// A pass that reads a column prefetches the rows that it needs two tiles later. The n twiddles between the two steps
// are a table up to 2^16 points; beyond that, each tile's are computed from the previous tile's.
//
// # Limits
//
// The passes are bound by the vector units' ports. With AVX-512, a register of 8 entries takes 6.5 instructions for
// each of the 6 levels of a pass of radix 64, 24 for a general multiplication and 3 for a transposition; two issue per
// clock. An extension of 2^17 values to twice as many points has 51 levels with 8 general multiplications, and 2 more
// for computed twiddles: 583 instructions a register, or 36 clocks a value. On a core at 3.9 GHz with 2 MiB of
// second-level cache that is 9.3 ns; 11.5 ns were measured, 0.22 ns per value and level, as for all sizes from 2^12 on.
// At 2^18 it is 0.22 to 0.25, and from 2^19 on, where a transform takes four passes, 0.3. At least 32 bytes a value go
// to and from memory, which takes 5 ns at 6.5 GB/s for each of two cores, mostly overlapped.
package ntt
