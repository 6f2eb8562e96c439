// Package logfile keeps what a program prints within bounds: the head and the tail of it. What was printed first says
// how it was started, what was printed last why it ended; a program that prints for ever fills no disk.
//
// A [Log] is such a file, and [Capture] the pipe that brings a child's output to it. A child is never handed the file
// itself: through the descriptor of a log it could empty it, or write beyond the bound.
package logfile
