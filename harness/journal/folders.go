package journal

import "path/filepath"

// FolderName is the folder for the harness's files, below the directory that is measured.
const FolderName = ".chiasmus"

// RunsFolder returns the folder of a directory's runs.
func RunsFolder(directory string) string { return filepath.Join(directory, FolderName, "runs") }

// ProfilesFolder returns the folder of a directory's noise profiles.
func ProfilesFolder(directory string) string { return filepath.Join(directory, FolderName, "profiles") }
