package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// hashArtifact reads one artifact. It has to be a regular file inside the worktree: a link that
// leads out would name a file that another revision may also name.
func hashArtifact(root *os.Root, path string) (Artifact, error) {
	name := filepath.FromSlash(path)
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Artifact{}, fmt.Errorf("the artifact %s is not there", path)
	case err != nil:
		return Artifact{}, fmt.Errorf("the artifact %s: %w", path, err)
	case !info.Mode().IsRegular():
		return Artifact{}, fmt.Errorf("the artifact %s is not a regular file", path)
	}
	file, err := root.Open(name)
	if err != nil {
		return Artifact{}, fmt.Errorf("the artifact %s: %w", path, err)
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, file)
	if err != nil {
		return Artifact{}, fmt.Errorf("the artifact %s: %w", path, err)
	}
	return Artifact{Path: path, SHA256: hex.EncodeToString(h.Sum(nil)), Bytes: n}, nil
}
