// Package elf reads programs: static ELF64 files for RV64IM, little-endian, linked to fixed addresses.
//
// Only program headers and entry determine a program, never sections: two files with the same image are the same
// program ([File.ImageDigest]). Symbols are optional, and serve errors and profiles. A damaged symbol table is ignored.
//
// A file that this machine cannot run, or whose meaning is ambiguous, is rejected with a reason and the address: [Load]
// accepts nothing that a verifier's loader could read differently. It takes no more memory than the file and its
// symbols, whatever sizes the file claims.
package elf
