package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/internal/files"
)

// statArtifact checks that an artifact is a regular file inside the worktree. A link that leads out could name a file
// that another revision also names.
func statArtifact(root *os.Root, path string) (fs.FileInfo, error) {
	name := filepath.FromSlash(path)
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the artifact %s is missing", path)
	case err != nil:
		return nil, fmt.Errorf("the artifact %s: %w", path, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the artifact %s is not a regular file", path)
	}
	return info, nil
}

// hashArtifact hashes one artifact until ctx ends: a file may be endless.
func hashArtifact(ctx context.Context, root *os.Root, path string) (Artifact, error) {
	if _, err := statArtifact(root, path); err != nil {
		return Artifact{}, err
	}
	file, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return Artifact{}, fmt.Errorf("the artifact %s: %w", path, err)
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, files.Until(ctx, file))
	if err != nil {
		return Artifact{}, fmt.Errorf("the artifact %s: %w", path, err)
	}
	return Artifact{Path: path, SHA256: hex.EncodeToString(h.Sum(nil)), Bytes: n}, nil
}

// hashArtifacts hashes the artifacts of a worktree.
func hashArtifacts(ctx context.Context, worktree string, paths []string) ([]Artifact, error) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []Artifact
	for _, p := range paths {
		a, err := hashArtifact(ctx, root, p)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// checkArtifacts compares the artifacts of a worktree with their records. It reads a file only if the size matches.
func checkArtifacts(ctx context.Context, worktree string, paths []string, were []Artifact) error {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return err
	}
	defer root.Close()
	for i, p := range paths {
		info, err := statArtifact(root, p)
		if err != nil {
			return err
		}
		same := i < len(were) && info.Size() == were[i].Bytes
		if same {
			now, err := hashArtifact(ctx, root, p)
			if err != nil {
				return err
			}
			same = now == were[i]
		}
		if !same {
			return &changedError{fmt.Sprintf("the artifact %s no longer has the hash in its provenance", p)}
		}
	}
	return nil
}
