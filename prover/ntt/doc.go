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
// without a pass over padding; [ExtendCoefficients] does it from coefficients.
// All take many columns at a time and run in parallel over columns, and within
// a column where columns are few. Columns of a call have one length.
//
// # How a transform is cut up
//
// A transform is a sequence of passes. A pass of radix R over a block of m
// entries sees it as a matrix of R rows of m/R entries, transforms the columns,
// multiplies entry (k, c) by g_m^(k*c) (a twiddle) and leaves R blocks of m/R
// entries that are transformed on their own. R is at most 64, because the
// twiddles within a transform of 64 points are powers of two and multiplying by
// them is a shift; so a transform of 2^20 points has 20 levels of additions, but
// only 3 general multiplications a point. A pass works on tiles, 8 columns of
// all rows: a tile is loaded once, transformed in registers and the first-level
// cache, and stored once. Blocks are finished one after the other, depth first,
// so that all but the first passes of a large transform stay in the
// second-level cache.
//
// The last pass transforms blocks of 64 consecutive entries, eight blocks side
// by side. For bit-reversed output it works in place. For natural output it
// takes eight blocks whose results are neighbours and writes whole cache lines
// elsewhere, which makes a pass of bit reversal unnecessary.
//
// Evaluation on a coset h*H needs coefficient j times h^j. The first pass does
// this: with j = r*m/R + c the factor of the row r is applied on loading and h^c
// is part of the twiddle. The 1/n of the inverse is part of its twiddles too.
package ntt
