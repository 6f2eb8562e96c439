package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// Unit is one translation unit.
type Unit struct {
	Name    string            // such as ntt.cu; appears in file names and messages
	Source  string            // CUDA C++ in the project's dialect
	Headers map[string]string // by the name in #include
	Options []string          // in addition to those of every unit, such as --maxrregcount=128
}

// options returns the compiler options of a unit. Line information lets profilers and compute-sanitizer name source
// lines at no run-time cost; -v makes ptxas report each kernel's resources.
func options(unit Unit, architecture string) []string {
	return append([]string{"--gpu-architecture=" + architecture, "--std=c++17", "--generate-line-info",
		"--ptxas-options=-v"}, unit.Options...)
}

// SourceKey returns a hash of the compiler's inputs: name, source, included headers, options and architecture. Every
// part is preceded by its length, so that different units have different encodings.
func (u Unit) SourceKey(architecture string) string {
	hash := sha256.New()
	put := func(parts ...string) {
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(parts)))
		hash.Write(length[:])
		for _, part := range parts {
			binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
			hash.Write(length[:])
			hash.Write([]byte(part))
		}
	}
	put("chiasmus.kernel/1", u.Name, u.Source)
	put(options(u, architecture)...)
	headers := u.included()
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		put(name, headers[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// includes calls found with the name of every header that the text includes in quotes, one directive per line. It
// searches from one # to the next, because a machine's kernels are megabytes that every process scans before its
// first proof.
func includes(text string, found func(name string)) {
	const blanks = " \t"
	for at := 0; ; {
		hash := strings.IndexByte(text[at:], '#')
		if hash < 0 {
			return
		}
		hash += at
		line := text[strings.LastIndexByte(text[:hash], '\n')+1 : hash]
		at = hash + 1
		rest, ok := strings.CutPrefix(strings.TrimLeft(text[at:], blanks), "include")
		if !ok || strings.Trim(line, blanks) != "" {
			continue
		}
		name, ok := strings.CutPrefix(strings.TrimLeft(rest, blanks), `"`)
		if end := strings.IndexAny(name, "\"\n"); ok && end > 0 && name[end] == '"' {
			found(name[:end])
		}
	}
}

// included returns the headers that the source includes, directly or indirectly. It does not evaluate conditions: a
// directive that is compiled out counts. It ignores names that are not among the unit's headers.
func (u Unit) included() map[string]string {
	found := map[string]string{}
	for texts := []string{u.Source}; len(texts) > 0; {
		text := texts[0]
		texts = texts[1:]
		includes(text, func(name string) {
			header, known := u.Headers[name]
			if _, done := found[name]; known && !done {
				found[name] = header
				texts = append(texts, header)
			}
		})
	}
	return found
}

// key returns a hash of the source key and the compiler's identity.
func key(sourceKey, compiler string) string {
	sum := sha256.Sum256([]byte(sourceKey + " " + compiler))
	return hex.EncodeToString(sum[:])
}
