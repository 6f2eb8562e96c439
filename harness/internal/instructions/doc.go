// Package instructions counts the instructions that a child process and its descendants retire in user mode, with the
// kernel's perf events.
//
// The event is opened on the thread that starts the child, and the child inherits it. It counts all threads and
// processes of the child. It starts counting when the child executes its program, so it counts nothing of the harness.
// The thread is used for nothing else and lives as long as the child, so that no other child inherits the event.
//
// The count measures a program's work independently of other load on the host. It repeats within about 0.1 %, not
// exactly, because of garbage collectors, schedulers and busy waiting.
package instructions
