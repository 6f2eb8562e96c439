package plan

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/journal"
)

// BuildsFolder returns the folder of a directory's builds: in the user's cache folder, not below the directory itself.
// Many tools look for settings in the folders above the working directory: Cargo for .cargo/config.toml, rustup for
// rust-toolchain.toml, Go for go.work, npm for .npmrc. Below the user's work tree they would find its settings, and
// base would be built with the settings of whatever is checked out. The error says why there is no cache folder.
func BuildsFolder(directory string) (string, error) {
	root, err := buildsRoot()
	if err != nil {
		return "", err
	}
	if directory, err = filepath.Abs(directory); err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(directory); err == nil {
		directory = real
	}
	sum := sha256.Sum256([]byte(directory))
	return filepath.Join(root, fmt.Sprintf("%s-%x", filepath.Base(directory), sum[:6])), nil
}

// buildsRoot returns the folder of the builds of all directories of this user.
func buildsRoot() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "chiasmus", "builds"), err
}

// nestedBuilds returns the folder of builds on a host where the user has no cache folder.
func nestedBuilds(directory string) string {
	return filepath.Join(directory, journal.FolderName, "builds")
}

// BuildsFolders lists the existing folders with builds of a directory.
func BuildsFolders(directory string) []string {
	var found []string
	cached, err := BuildsFolder(directory)
	if err == nil && isFolder(cached) {
		found = append(found, cached)
	}
	if nested := nestedBuilds(directory); isFolder(nested) {
		found = append(found, nested)
	}
	return found
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ownerFile is the file, in a folder of builds, that names the directory they belong to.
const ownerFile = "directory"

// AbandonedBuilds lists the folders with builds of directories that no longer exist.
func AbandonedBuilds() ([]string, error) {
	root, err := buildsRoot()
	if err != nil {
		return nil, nil // without a cache folder there are none in it
	}
	owners, err := filepath.Glob(filepath.Join(root, "*", ownerFile))
	if err != nil {
		return nil, err
	}
	var abandoned []string
	for _, owner := range owners {
		text, err := os.ReadFile(owner)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(strings.TrimSpace(string(text))); os.IsNotExist(err) {
			abandoned = append(abandoned, filepath.Dir(owner))
		}
	}
	return abandoned, nil
}

// PlaceBuilds decides where the builds of a run are stored. It warns if the folder is below the user's work tree.
func (d *Decision) PlaceBuilds(named, workTree string) error {
	if named != "" {
		var err error
		d.Builds, err = filepath.Abs(named)
		return err
	}
	path, err := BuildsFolder(d.Directory)
	if err == nil {
		err = os.MkdirAll(path, 0o755)
	}
	if err == nil {
		err = journal.WriteFile(filepath.Join(path, ownerFile), []byte(d.Directory+"\n"))
	}
	const consequence = "so that builds lie below the work tree, where tools that look for settings in the folders " +
		"above them (.cargo/config.toml, go.work) find those of the work tree: set XDG_CACHE_HOME to a folder elsewhere"
	switch {
	case err != nil:
		path = nestedBuilds(d.Directory)
		d.warn("builds", "the user's cache folder cannot be used (%v), %s", err, consequence)
	case inside(path, workTree):
		d.warn("builds", "the user's cache folder lies in the repository, %s", consequence)
	}
	d.Builds = path
	return nil
}

// inside reports whether an existing path is within a folder, whose own path has no links.
func inside(path, folder string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	seen, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(seen)
}

// The kinds of warning about builds.
const (
	WarnLayout    = "layout"
	WarnToolchain = "toolchain"
)
