// Package beneath reads a folder that a stranger's program may have written to, without ever leaving it.
//
// What lies in such a folder may be anything: a link to a key of the host, a second name of somebody else's file, a
// pipe that never answers, a file of a petabyte. So every name is opened by the kernel beneath the folder (openat2 with
// RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS), on the way as at its end, and only a regular file that has no other name is
// read, no further than a limit.
//
// # Vocabulary
//
// A Folder is the place that is not left. A pattern is a slash-separated name in which every part may hold the
// wildcards of path.Match; Copy takes what matches a list of them, the allow-list, and nothing else. What matches and
// may not be handed on is left out, with the reason: it is never an error of the host, and never a reason to hand on
// less strictly.
//
// # What it never does
//
// It never follows a link, not even one that leads back into the folder. It never opens a pipe, a socket or a device
// for reading. It never writes over what is there.
package beneath
