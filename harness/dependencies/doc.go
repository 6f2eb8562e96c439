// Package dependencies carries what build.fetch left from the host that fetched to the host that builds.
//
// The host that fetches has a network and nothing worth stealing; the host that builds has a GPU and no network.
// Between them travels one file for each revision: what its build.fetch added to its home and to its worktree, as data.
//
// # Vocabulary
//
// A Snapshot remembers a worktree before the fetch. Pack writes an archive, a tar file, of the home and of what is new
// or changed in the worktree since, and gives its Digest, the SHA-256 of the whole file. Unpack checks the digest
// before it looks at anything else, and puts the files in their places. Limits bound both.
//
// # What it never does
//
// It never carries what is no regular file, folder or link: pipes, sockets and devices stay, and so do links that would
// lead out of the home or the worktree, or would do so by way of another link. A second name of a file travels as a
// file of its own. Owners, times and special modes stay too: an archive of the same files is the same archive. It never
// writes through a link, and never the .git of the worktree.
package dependencies
