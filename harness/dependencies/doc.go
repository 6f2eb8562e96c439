// Package dependencies packs the files that build.fetch downloaded on one host, and unpacks them on the host that
// builds.
//
// The host that fetches has a network and no secrets; the host that builds has a GPU and no network. One archive per
// revision is transferred: the files that build.fetch added to the home and to the worktree.
//
// # Vocabulary
//
// A Snapshot records the state of a worktree before the fetch. Pack writes a tar file with the home and with the files
// of the worktree that are new or changed since, and returns its SHA-256 digest. Unpack checks the digest first, then
// extracts the files. Limits limit both.
//
// # What it never does
//
// It never packs anything but regular files, folders and symbolic links that stay inside the home or the worktree. A
// hard link is packed as a separate file. Owners, times and special modes are not packed, so equal files give equal
// archives. Unpack never writes through a link and never writes the .git of the worktree.
package dependencies
