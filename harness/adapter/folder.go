package adapter

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// mostFolder is the maximum length of a folder's name. File systems allow 255 bytes.
const mostFolder = 100

// folderName converts a benchmark's name to a folder name. It keeps letters, digits, dots and underscores, and replaces
// each run of other characters by one dash. Two benchmarks may get the same name: see FolderNames.
func folderName(name string) string {
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

// FolderNames returns a folder name for each benchmark. The names are distinct even on file systems that ignore case,
// and do not depend on the order of the benchmarks: names that clash get a hash of the benchmark's name.
func FolderNames(names []string) map[string]string {
	users := map[string]int{}
	for _, name := range names {
		users[strings.ToLower(folderName(name))]++
	}
	folders := make(map[string]string, len(names))
	for _, name := range names {
		folders[name] = folderName(name)
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
