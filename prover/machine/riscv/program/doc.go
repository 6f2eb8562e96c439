// Package program turns an ELF's segments into what the machine runs and commits to.
//
// A [Program] has the same instructions in two shapes:
//
//   - Rows are the preprocessed table PROGRAM: for each instruction the table that proves it, its registers
//     and up to six constants K, one row each but for branches, which have one for each outcome of their
//     comparison (first false, then true). They are part of the program's identity, so what they hold is
//     fixed by the protocol, and they are the only thing that says what an instruction means to a proof.
//   - Code is what the emulator and the replay run: sixteen bytes an instruction, with targets as indexes. Some
//     instructions have become simpler ones of the same meaning, as their rows have: a load to x0 writes
//     register 32, the [Sink], and no other instruction writes x0 any more.
//
// [Program.FirstRow] goes from code to rows: an instruction's row is the first plus its outcome.
//
// Every whole word inside the file bytes of an executable segment is decoded. A word that is no
// instruction has code (op Illegal) and no row: it may be there, and cannot be reached.
package program
