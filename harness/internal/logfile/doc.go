// Package logfile stores the head and the tail of a program's output. The head shows how the program was started, the
// tail why it ended, and a program that prints forever does not fill the disk.
//
// A [Log] is such a file. [Capture] copies a child's output to a Log through a pipe. A child never gets the file's own
// descriptor, with which it could truncate the file or exceed its limit.
package logfile
