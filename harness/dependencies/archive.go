package dependencies

import (
	"fmt"
	"path"
	"strings"
)

// The places of an archive.
const (
	home     = "home"
	worktree = "worktree"
)

// Limits bound an archive.
type Limits struct {
	// Bytes is the most of all files together, Files the most names.
	Bytes int64
	Files int
}

// DefaultLimits are far above what projects fetch, and far below what fills a disk.
var DefaultLimits = Limits{Bytes: 8 << 30, Files: 1_000_000}

// A LeftOut is something that does not travel.
type LeftOut struct{ Name, Why string }

// String gives name and reason.
func (left LeftOut) String() string { return left.Name + ": " + left.Why }

// checkName refuses a name that is not clean, or not below one of the two places.
func checkName(name string) error {
	place, rest, _ := strings.Cut(name, "/")
	switch {
	case place != home && place != worktree:
		return fmt.Errorf("%q lies neither in the home nor in the worktree", name)
	case rest == "" || path.Clean(name) != name || strings.ContainsAny(name, "\x00") ||
		strings.Contains("/"+name+"/", "/../"):
		return fmt.Errorf("%q is no name below %s", name, place)
	case place == worktree && (rest == ".git" || strings.HasPrefix(rest, ".git/")):
		return fmt.Errorf("%q is git's own", name)
	}
	return nil
}

// checkLink reports whether the target of the link called name stays in its place. Every ".." has to stand at the
// front: from there on the target only goes down, through folders or through links that stay in the place themselves,
// so that no chain of links leads out.
func checkLink(name, target string) error {
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\x00") {
		return fmt.Errorf("the link leads to %q, which is no place relative to it", target)
	}
	up, down := 0, false
	for _, part := range strings.Split(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if down {
				return fmt.Errorf("the link leads to %q, down and up again", target)
			}
			up++
		default:
			down = true
		}
	}
	// home/a/b: the link lies one folder below its place.
	if below := strings.Count(name, "/") - 1; up > below {
		return fmt.Errorf("the link leads to %q, out of %s", target, name[:strings.IndexByte(name, '/')])
	}
	return nil
}
