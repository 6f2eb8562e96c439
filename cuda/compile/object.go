package compile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Object is a compiled unit.
type Object struct {
	Name         string   `json:"name"`
	Architecture string   `json:"architecture"`
	SourceKey    string   `json:"source_key"`
	Compiler     string   `json:"compiler"` // identity of the compiler library
	Kernels      []Kernel `json:"kernels"`
	Cubin        []byte   `json:"-"`
	Cached       bool     `json:"-"` // read from a file, not compiled
}

// Kernel is the compiler's report on one entry point.
type Kernel struct {
	Name            string `json:"name"`
	Registers       int    `json:"registers"`
	StackBytes      int    `json:"stack_bytes"`
	SpillStoreBytes int    `json:"spill_store_bytes"`
	SpillLoadBytes  int    `json:"spill_load_bytes"`
	SharedBytes     int    `json:"shared_bytes"` // static
	ConstantBytes   int    `json:"constant_bytes"`
}

// header is the first line of an object file. The cubin follows.
type header struct {
	Schema string `json:"schema"`
	*Object
	Size   int    `json:"cubin_bytes"`
	SHA256 string `json:"cubin_sha256"`
}

const (
	schema    = "chiasmus.kernel/1"
	extension = ".kernel"
)

// encode returns the object's file, which is a function of the object.
func (o *Object) encode() ([]byte, error) {
	sum := sha256.Sum256(o.Cubin)
	line, err := json.Marshal(header{Schema: schema, Object: o, Size: len(o.Cubin), SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), o.Cubin...), nil
}

func decode(data []byte) (*Object, error) {
	line, cubin, ok := bytes.Cut(data, []byte{'\n'})
	if !ok {
		return nil, errors.New("no header line")
	}
	h := header{Object: &Object{}}
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	sum := sha256.Sum256(cubin)
	if h.Schema != schema || h.Size != len(cubin) || h.SHA256 != hex.EncodeToString(sum[:]) {
		return nil, errors.New("the cubin does not match its header's size and hash")
	}
	h.Object.Cubin = cubin
	return h.Object, nil
}

// read returns the object in a file if it is intact and its sources match. An empty compiler matches any compiler.
func read(path, sourceKey, compiler string) (*Object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	o, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if o.SourceKey != sourceKey || compiler != "" && o.Compiler != compiler {
		return nil, fmt.Errorf("%s: it was built from other sources or by another compiler", path)
	}
	o.Cached = true
	return o, nil
}

// ReadFolder reads every object in a folder and its subfolders, in path order. It skips damaged files and names them in
// the error.
func ReadFolder(folder string) (objects []*Object, err error) {
	var damaged []error
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != extension {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		object, err := decode(data)
		if err != nil {
			damaged = append(damaged, fmt.Errorf("%s: %w", path, err))
			return nil
		}
		object.Cached = true
		objects = append(objects, object)
		return nil
	})
	return objects, errors.Join(append(damaged, err)...)
}

// write writes the file atomically.
func (o *Object) write(path string) error {
	data, err := o.encode()
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".object-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Sync(), temporary.Chmod(0o644), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
