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
	Name    string            // such as ntt.cu; names files and messages
	Source  string            // CUDA C++ in the project's dialect
	Headers map[string]string // by the name #include gives
	Options []string          // beside those every unit gets, such as --maxrregcount=128
}

// options are those of every unit. Line information lets profilers and compute-sanitizer name source lines and
// costs nothing at run time; -v makes ptxas report what each kernel uses.
func options(unit Unit, architecture string) []string {
	return append([]string{"--gpu-architecture=" + architecture, "--std=c++17", "--generate-line-info",
		"--ptxas-options=-v"}, unit.Options...)
}

// SourceKey is the hash of all that decides the object save the compiler: name, source, the headers that it includes,
// options and architecture. Every part goes in with its length, so no two units share an encoding.
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

// include is an #include directive of a header of the unit. Sources name headers in quotes, one directive a line.
var include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"`)

// included returns the headers that the source includes, and those that they include. Conditions are not evaluated:
// a directive that is compiled out counts. A name that is not among the unit's headers is left to the compiler.
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

// key is the hash of the source key and the compiler's identity.
func key(sourceKey, compiler string) string {
	sum := sha256.Sum256([]byte(sourceKey + " " + compiler))
	return hex.EncodeToString(sum[:])
}
