// Package tour is a machine for tests that uses every feature of a machine. No command offers it.
//
// A walker follows the roads of a map. Each place has one road, or two at a fork; each road has a toll below 12. The
// map is the program. Public data are choices, one byte per step: 0 and 1 select a road (0 if there is only one), 2 is
// a rest. The proof states that the choices lead from the map's entry to a place and cost a total.
//
// # Tables
//
//   - step, 0 to 16 instances: the walker takes a road. It looks up the road in the program's table and the range of
//     the toll in the dial, and calls the office for the amount to pay.
//   - rest, 0 to 4 instances: the walker waits. Its running sum carries a batch of one.
//   - office, 0 to 16 instances: computes the amount to pay for a toll x + 4y: 10 times the toll, plus x xor y. A call
//     takes a block of four rows, which periodic columns distinguish. Its running sum carries a batch of two.
//   - dial, fixed: answers two buses, each in its own rows, with one count column. The remaining rows answer nothing.
//   - road, the program's: the roads by place, two rows per fork, found by an index.
//   - cubes, 1 or 2 instances: uses no bus.
//
// # Buses
//
// The walker is a token (place, time, total); so is each choice (time, choice), which the verifier sends. Paying is a
// call. The verifier sends the walker at the entry, receives it at the end, and looks up a constant in the dial, once
// for each step and once more.
//
// An execution has a record set for each of the first three tables: its rows, concatenated.
package tour
