package kernels

import (
	"embed"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/internal/header"
)

//go:embed *.cuh *.cu
var files embed.FS

// declared are the headers that this package generates.
var declared = map[string]*header.Header{
	"array_struct.cuh":      arrayHeader,
	"combine_structs.cuh":   combineHeader,
	"dot_structs.cuh":       dotHeader,
	"merkle_structs.cuh":    merkleHeader,
	"powers_struct.cuh":     powersHeader,
	"transform_structs.cuh": transformHeader,
}

// headerFiles returns every .cuh by name, for any translation unit's includes.
func headerFiles() map[string]string {
	headers := map[string]string{}
	for name, header := range declared {
		headers[name] = header.String()
	}
	for name, text := range read(".cuh") {
		headers[name] = text
	}
	return headers
}

// Units returns the translation units in name order.
func Units() []compile.Unit {
	headers := headerFiles()
	sources := read(".cu")
	entries, _ := files.ReadDir(".") // an embedded folder is always readable and sorted
	var units []compile.Unit
	for _, entry := range entries {
		if source, ok := sources[entry.Name()]; ok {
			units = append(units, compile.Unit{Name: entry.Name(), Source: source, Headers: headers})
		}
	}
	return units
}

// Unit returns one translation unit by file name.
func Unit(name string) (compile.Unit, error) {
	source, ok := read(".cu")[name]
	if !ok {
		return compile.Unit{}, fmt.Errorf("there is no kernel file %s", name)
	}
	return compile.Unit{Name: name, Source: source, Headers: headerFiles()}, nil
}

// Generated returns a unit of a generated source, with the same headers.
func Generated(name, source string) compile.Unit {
	return compile.Unit{Name: name, Source: source, Headers: headerFiles()}
}

func read(suffix string) map[string]string {
	texts := map[string]string{}
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), suffix) {
			continue
		}
		text, _ := files.ReadFile(entry.Name())
		texts[entry.Name()] = string(text)
	}
	return texts
}
