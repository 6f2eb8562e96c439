package adapter

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// mostFolder bounds the name of a folder. File systems take 255 bytes.
const mostFolder = 100

// FolderName makes the name of a benchmark one for a folder: letters, digits, dots, dashes and underscores stay, and
// what stands between them becomes one dash. Two benchmarks may come to the same name: see FolderNames.
func FolderName(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	clean := b.String()
	if clean == "" {
		clean = "benchmark"
	}
	if len(clean) > mostFolder {
		clean = withHash(clean[:mostFolder-9], name)
	}
	return clean
}

// FolderNames names a folder for each benchmark, all of them different whatever a file system makes of case. The names
// do not depend on the order of the benchmarks, but for one that clashes, which gets a hash of its own name.
func FolderNames(names []string) map[string]string {
	users := map[string]int{}
	for _, name := range names {
		users[strings.ToLower(FolderName(name))]++
	}
	folders := make(map[string]string, len(names))
	for _, name := range names {
		folders[name] = FolderName(name)
		if users[strings.ToLower(folders[name])] > 1 {
			folders[name] = withHash(folders[name], name)
		}
	}
	return folders
}

func withHash(clean, name string) string {
	sum := sha256.Sum256([]byte(name))
	return clean + "-" + hex.EncodeToString(sum[:4])
}
