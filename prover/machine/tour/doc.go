// Package tour is a machine for tests: it has one of everything that a machine can have. No command offers it.
//
// A walker goes through a map. From each place one road leads on, or a fork of two; each road has a toll below 12. The
// map is the program. Public data are choices, a byte a step: 0 and 1 are the road to take (0 where there is one),
// 2 is a rest. The proof says that the choices lead from the map's entry to a place and cost a total.
//
// # Tables
//
//   - step, 0 to 16 instances: the walker takes a road. It asks the program's table for the road, asks the dial whether
//     the toll is in range, and calls the office for what is to be paid.
//   - rest, 0 to 4 instances: time goes by. Its running sum carries a batch of one.
//   - office, 0 to 16 instances: computes what is paid for a toll x + 4y in blocks of four rows, distinguished by
//     periodic columns: 10 times the toll, and x xor y. Its running sum carries a batch of two.
//   - dial, fixed: answers two buses in rows of their own, with one count column; the rows behind answer nobody.
//   - road, the program's: the roads by place, two rows a fork, found by an index.
//   - cubes, 1 or 2 instances: ties to nothing.
//
// # Buses
//
// The walker is a token (place, time, total); so is each choice (time, choice), which the verifier sends. Paying is a
// call. The verifier sends the walker at the entry, receives it at the end, and asks the dial a question of its own as
// many times as there are steps, and once more.
//
// An execution has a record set for each of the first three tables: its rows, one after the other.
package tour
