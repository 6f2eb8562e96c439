package journal

import "path/filepath"

// FolderName is the folder, below the directory that is measured, in which the harness keeps its files.
const FolderName = ".chiasmus"

// RunsFolder returns where the runs of a directory are.
func RunsFolder(directory string) string { return filepath.Join(directory, FolderName, "runs") }

// ProfilesFolder returns where the noise profiles of a directory are.
func ProfilesFolder(directory string) string { return filepath.Join(directory, FolderName, "profiles") }
