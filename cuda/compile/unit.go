package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
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

// SourceKey is a hash of the compiler's inputs: name, source, included headers, options and architecture. Every part is
// preceded by its length, so that different units have different encodings.
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

// include matches an #include of a unit's header. Sources use quotes, with one directive per line.
var include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"`)

// included returns the headers that the source includes, directly or indirectly. It does not evaluate conditions: a
// directive that is compiled out counts. It ignores names that are not among the unit's headers.
func (u Unit) included() map[string]string {
	found := map[string]string{}
	for texts := []string{u.Source}; len(texts) > 0; {
		text := texts[0]
		texts = texts[1:]
		for _, directive := range include.FindAllStringSubmatch(text, -1) {
			name := directive[1]
			header, known := u.Headers[name]
			if _, done := found[name]; known && !done {
				found[name] = header
				texts = append(texts, header)
			}
		}
	}
	return found
}

// key is a hash of the source key and the compiler's identity.
func key(sourceKey, compiler string) string {
	sum := sha256.Sum256([]byte(sourceKey + " " + compiler))
	return hex.EncodeToString(sum[:])
}
