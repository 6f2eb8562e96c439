// Package beneath reads files from a folder that an untrusted program may have written to, and never from outside.
//
// Such a folder may hold anything: a symbolic link to a key of the host, a hard link to another user's file, a pipe
// that blocks forever, a file of a petabyte. So the kernel resolves every name beneath the folder and follows no
// symbolic link (openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS). Only regular files without a second name are
// read, up to a limit.
//
// # Vocabulary
//
// A pattern is a slash-separated name in which every part may hold the wildcards of path.Match. Copy copies the files
// that match an allow-list of patterns. Files that match but may not be copied are left out, with the reason; they are
// not errors.
//
// # What it never does
//
// It never follows a symbolic link, not even one that leads back into the folder. It never opens a pipe, a socket or a
// device for reading. It never overwrites a file.
package beneath
