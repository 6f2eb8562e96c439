// Package program turns an ELF's segments into the program that the machine runs and commits to.
//
// A [Program] has the same instructions in two shapes:
//
//   - Rows are the preprocessed table PROGRAM: for each instruction the table that proves it, its registers and up to
//     six constants K. Branches have two rows, one for each outcome of their comparison (first false, then true), all
//     other instructions one. Rows are part of the program's identity, so the protocol defines their contents. They
//     alone determine the meaning of an instruction in a proof.
//   - Code is run by the emulator and the replay: sixteen bytes for each instruction, with targets as indices. Some
//     instructions are replaced by simpler ones with the same meaning, as in their rows: a load to x0 writes register
//     32, the [Sink], and no other instruction writes x0.
//
// [Program.FirstRow] maps code to rows: an instruction's row is its first row plus its outcome.
//
// Every whole word inside the file bytes of an executable segment is decoded. A word that is not an instruction has
// code (op Illegal) and no row: it is allowed, and cannot be executed.
package program
