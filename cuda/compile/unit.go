package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sort"
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

// SourceKey is the hash of all that decides the object save the compiler: name, source, headers, options and
// architecture. Every part goes in with its length, so no two units share an encoding.
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
	names := make([]string, 0, len(u.Headers))
	for name := range u.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		put(name, u.Headers[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// key is the hash of the source key and the compiler's identity.
func key(sourceKey, compiler string) string {
	sum := sha256.Sum256([]byte(sourceKey + " " + compiler))
	return hex.EncodeToString(sum[:])
}
