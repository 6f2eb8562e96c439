package sbom

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// The parts of a CycloneDX document that this package writes; see its specification, version 1.6.
type (
	document struct {
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Reference  string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PackageURL string     `json:"purl"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Reference string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// Of returns the bill of materials of the program in a file.
func Of(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: was it built by the Go tool?", path, err)
	}
	sum := sha256.Sum256(content)
	return from(filepath.Base(path), hex.EncodeToString(sum[:]), info)
}

// from returns the bill of materials of a build. name and digest describe the program's file.
func from(name, digest string, info *debug.BuildInfo) ([]byte, error) {
	program := module(&info.Main)
	program.Type = "application"
	program.Hashes = []hash{{"SHA-256", digest}}
	program.Properties = []property{{"chiasmus:file", name}, {"chiasmus:package", info.Path}}
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	library := component{Type: "library", Name: "std", Version: goVersion,
		PackageURL: "pkg:golang/std@" + goVersion}
	library.Reference = library.PackageURL
	components := []component{library}
	for _, d := range info.Deps {
		one := module(d)
		if d.Replace != nil {
			one = module(d.Replace)
			one.Properties = append(one.Properties, property{"go:replaces", d.Path + "@" + d.Version})
		}
		one.Type = "library"
		components = append(components, one)
	}
	slices.SortFunc(components, func(a, b component) int { return cmp.Compare(a.Reference, b.Reference) })
	uses := dependency{Reference: program.Reference}
	for _, c := range components {
		uses.DependsOn = append(uses.DependsOn, c.Reference)
	}
	text, err := json.MarshalIndent(document{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{program}, Components: components,
		Dependencies: []dependency{uses},
	}, "", "  ")
	return append(text, '\n'), err
}

// module describes a module. The checksum of go.sum is a SHA-256 over the hashes of the module's files, in base64.
func module(m *debug.Module) component {
	version := cmp.Or(m.Version, "(devel)")
	c := component{Name: m.Path, Version: version, PackageURL: packageURL(m.Path, version)}
	c.Reference = c.PackageURL
	encoded, first := strings.CutPrefix(m.Sum, "h1:")
	if sum, err := base64.StdEncoding.DecodeString(encoded); first && err == nil && len(sum) == sha256.Size {
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}

// packageURL names a module as the package URL specification requires for Go: segments stay separate, and reserved
// characters within them are escaped.
func packageURL(path, version string) string {
	return "pkg:golang/" + escape(path, "/") + "@" + escape(version, "")
}

func escape(text, keep string) string {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	var out strings.Builder
	for i := range len(text) {
		if b := text[i]; strings.IndexByte(unreserved+keep, b) >= 0 {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}
