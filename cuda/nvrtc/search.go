package nvrtc

import (
	"path/filepath"
	"sort"
)

// Search lists where to search for libnvrtc, in the order of its fields. The program sets it from flags and environment
// variables; this package reads neither. Empty fields are skipped.
type Search struct {
	File       string // --nvrtc: the library, or a folder that contains it; exclusive
	CUDAPath   string // CUDA_PATH: a toolkit's root
	VirtualEnv string // VIRTUAL_ENV: a Python environment with the package nvidia-cuda-nvrtc
	Home       string // HOME: for packages installed with pip --user
}

// sonames are the names for the loader's search, newest first.
var sonames = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}

// pythonFolders are the library's folders in site-packages: since CUDA 13, and before.
var pythonFolders = []string{"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"}

// Candidates lists the files and names to try, in order.
func (s Search) Candidates() []string {
	if s.File != "" {
		if inside := libraries(s.File); len(inside) > 0 {
			return inside
		}
		return []string{s.File}
	}
	var found []string
	if s.CUDAPath != "" {
		for _, folder := range []string{"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"} {
			found = append(found, libraries(filepath.Join(s.CUDAPath, folder))...)
		}
	}
	found = append(found, sonames...)
	found = append(found, libraries("/usr/local/cuda/lib64")...)
	for _, root := range s.pythonRoots() {
		for _, folder := range pythonFolders {
			found = append(found, libraries(filepath.Join(root, folder))...)
		}
	}
	return found
}

// pythonRoots returns the site-packages folders, newest Python first.
func (s Search) pythonRoots() []string {
	var patterns []string
	if s.VirtualEnv != "" {
		patterns = append(patterns, filepath.Join(s.VirtualEnv, "lib/python3*/site-packages"))
	}
	if s.Home != "" {
		patterns = append(patterns, filepath.Join(s.Home, ".local/lib/python3*/site-packages"))
	}
	patterns = append(patterns, "/usr/local/lib/python3*/dist-packages", "/usr/local/lib/python3*/site-packages",
		"/usr/lib/python3*/site-packages", "/opt/conda/lib/python3*/site-packages")
	var roots []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern)
		sort.Sort(sort.Reverse(sort.StringSlice(matches)))
		roots = append(roots, matches...)
	}
	return roots
}

// libraries lists the libnvrtc files in a folder, newest version first, without the ".alt" variants.
func libraries(folder string) []string {
	matches, _ := filepath.Glob(filepath.Join(folder, "libnvrtc.so*"))
	sort.Sort(sort.Reverse(sort.StringSlice(matches)))
	return matches
}
