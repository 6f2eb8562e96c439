package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/chiasmus/chiasmus/guests"
)

// deriveCrates makes the derived crates among some of the kit's crates.
func (p *program) deriveCrates(
	ctx context.Context, toolchain *rust, kit guests.Kit, names []string, project string,
) error {
	for _, name := range names {
		d, is, err := guests.Derived(name)
		if err != nil {
			return fmt.Errorf("the kit: %w", err)
		}
		if !is {
			continue
		}
		folder, err := kit.Patch(name)
		if err != nil {
			return fmt.Errorf("the kit: %w", err)
		}
		if err := p.deriveCrate(ctx, toolchain, d, folder, project); err != nil {
			return err
		}
	}
	return nil
}

// deriveCrate makes a crate of the kit from the original's sources, which cargo fetches, unless its folder exists.
func (p *program) deriveCrate(ctx context.Context, toolchain *rust, d guests.Derivation, folder, project string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(folder), ".derive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	original, err := p.fetchCrate(ctx, toolchain, d, work, project)
	if err != nil {
		return fmt.Errorf("fetch the sources of %s %s: %w", d.Name, d.Version, err)
	}
	made := filepath.Join(work, "made")
	if err := d.Write(original, made); err != nil {
		return err
	}
	if err := os.Rename(made, folder); err != nil {
		if _, there := os.Stat(folder); there != nil {
			return err
		}
		// Another process was first.
	}
	return nil
}

// fetchManifest is the Cargo.toml of a package that depends on a version of a crate.
const fetchManifest = `[package]
name = "fetch"
version = "0.0.0"
edition = "2021"

[workspace]

[lib]
path = "lib.rs"

[dependencies]
%s = { version = "=%s", default-features = false }
`

// fetchCrate lets cargo fetch the sources of a crate with the project's configuration, and returns their folder.
func (p *program) fetchCrate(
	ctx context.Context, toolchain *rust, d guests.Derivation, work, project string,
) (string, error) {
	manifest := fmt.Sprintf(fetchManifest, d.Name, d.Version)
	path := filepath.Join(work, "Cargo.toml")
	for name, text := range map[string]string{path: manifest, filepath.Join(work, "lib.rs"): ""} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(toolchain.folder, "cargo"), "metadata", "--format-version", "1",
		"--quiet", "--manifest-path", path)
	cmd.Dir, cmd.Stderr = project, p.stderr
	cmd.Env = append(cmd.Environ(), "RUSTC="+filepath.Join(toolchain.folder, "rustc"))
	output, err := cmd.Output()
	if err != nil {
		return "", failedBuild(ctx, err)
	}
	var metadata struct {
		Packages []struct {
			Name     string
			Version  string
			Manifest string `json:"manifest_path"`
		}
	}
	if err := json.Unmarshal(output, &metadata); err != nil {
		return "", fmt.Errorf("parse cargo's metadata: %w", err)
	}
	for _, found := range metadata.Packages {
		if found.Name == d.Name && found.Version == d.Version {
			return filepath.Dir(found.Manifest), nil
		}
	}
	return "", fmt.Errorf("cargo's metadata does not name the crate")
}
