// Package accelerator is what calls of the machine's accelerators do: Keccak-f[1600], the compression
// function of SHA-256, and multiplication modulo a number of 256 bits.
//
// A guest calls one by ECALL with its code in a7 and addresses of aligned words in a0 to a2. A call reads and
// writes words of memory at the slots of its cycle, operands that are only read first ([Operand]), so that operands which
// overlap have a defined meaning: everything is read before anything is written.
//
//	code   a0                      a1                  a2
//	0x100  25 words, permuted      0                   0
//	0x101  4 words: the state      8 words: the block  0
//	0x102  4 words: x := x*y mod m 4 words: y          4 words: m
//
// States and blocks of SHA-256 are the eight and sixteen 32-bit numbers of the standard, two in a word, low half first;
// 256-bit numbers have the least significant word first.
//
// The package computes and refuses; which words are read and written, and when, is the emulator's and the
// replay's business.
package accelerator
