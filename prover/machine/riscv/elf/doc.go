// Package elf reads programs: static ELF64 files for RV64IM, little-endian, linked to fixed addresses.
//
// What a program is follows from its program headers and its entry alone, never from sections: two
// files with one image are one program ([File.ImageDigest]). Symbols are read where they are there, for
// errors and profiles; a damaged symbol table is none.
//
// A file that this machine cannot run, or whose meaning would be in doubt, is refused with a reason
// and the address: [Load] accepts nothing that a verifier's loader would read differently. It takes no
// more memory than the file and its symbols, whatever sizes the file claims.
package elf
