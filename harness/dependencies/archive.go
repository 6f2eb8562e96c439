package dependencies

import (
	"fmt"
	"path"
	"strings"
)

// The top-level folders of an archive.
const (
	home     = "home"
	worktree = "worktree"
)

// Limits limit an archive.
type Limits struct {
	// Bytes is the maximum size of all files together, Files the maximum number of entries.
	Bytes int64
	Files int
}

// DefaultLimits are far above what projects fetch and far below the size of a disk.
var DefaultLimits = Limits{Bytes: 8 << 30, Files: 1_000_000}

// A LeftOut is a file that is not packed.
type LeftOut struct{ Name, Why string }

// String returns name and reason.
func (left LeftOut) String() string { return left.Name + ": " + left.Why }

// checkName returns an error for a name that is not clean, or not below one of the two folders.
func checkName(name string) error {
	place, rest, _ := strings.Cut(name, "/")
	switch {
	case place != home && place != worktree:
		return fmt.Errorf("%q is neither below home nor below worktree", name)
	case rest == "" || path.Clean(name) != name || strings.ContainsAny(name, "\x00") ||
		strings.Contains("/"+name+"/", "/../"):
		return fmt.Errorf("%q is not a clean name below %s", name, place)
	case place == worktree && (rest == ".git" || strings.HasPrefix(rest, ".git/")):
		return fmt.Errorf("%q belongs to git", name)
	}
	return nil
}

// checkLink returns an error if the target of the symbolic link called name might leave its top-level folder. Every
// ".." must come first: the rest of the target only descends, through folders or through links that were checked, so no
// chain of links leads out.
func checkLink(name, target string) error {
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\x00") {
		return fmt.Errorf("the link's target %q is not a relative path", target)
	}
	up, down := 0, false
	for _, part := range strings.Split(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if down {
				return fmt.Errorf("the link's target %q has .. after a name", target)
			}
			up++
		default:
			down = true
		}
	}
	// home/a/b lies one folder below its top-level folder.
	if below := strings.Count(name, "/") - 1; up > below {
		return fmt.Errorf("the link's target %q leads out of %s", target, name[:strings.IndexByte(name, '/')])
	}
	return nil
}
