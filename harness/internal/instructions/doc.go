// Package instructions counts the instructions that a child and all that it starts retire in user mode, by the kernel's
// perf events.
//
// An event is opened on the thread that starts the child, which the child inherits: nothing that it executes is missed,
// be it in a thread or a process that it starts later, and nothing of the harness itself is counted, since the event
// begins to count when the child executes its program. So that no other child inherits it, that thread is used for
// nothing else, and lives as long as the child.
//
// The number says how much work a program did, whatever else the host did meanwhile. It repeats to a thousandth or so,
// not exactly: a garbage collector and a scheduler have work of their own, and who waits in a loop executes it.
package instructions
