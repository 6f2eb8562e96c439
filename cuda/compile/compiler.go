package compile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"
)

// Compiler compiles units, or loads them from a cache or a prebuilt folder.
type Compiler struct {
	Library  *nvrtc.Library // nil without NVRTC: then only Prebuilt is available
	Cache    string         // cache folder; empty for none
	Prebuilt string         // a folder filled by Write; empty for none
}

// Progress is called after each unit with the number of completed units, the total, and the object.
type Progress func(done, total int, object *Object, took time.Duration)

// NoCompilerError reports a unit that is not prebuilt on a host without NVRTC.
type NoCompilerError struct {
	Unit, Architecture, Prebuilt string
}

func (e *NoCompilerError) Error() string {
	where := "no folder of prebuilt kernels is given"
	if e.Prebuilt != "" {
		where = "it is not among the prebuilt kernels in " + e.Prebuilt
	}
	return fmt.Sprintf("kernel file %s for %s: NVRTC is not installed and %s; install it (pip install "+
		"nvidia-cuda-nvrtc==13.0.88) "+
		"or fill a folder with `prover kernels build --arch %s --out DIR` elsewhere", e.Unit, e.Architecture,
		where, e.Architecture)
}

// Build compiles the units for one architecture, in parallel on all cores, and returns their objects in order. progress
// may be nil and is never called concurrently.
func (c *Compiler) Build(ctx context.Context, architecture string, units []Unit, progress Progress) ([]*Object, error) {
	objects := make([]*Object, len(units))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	done := 0
	for i, unit := range units {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			start := time.Now()
			object, err := c.build(ctx, unit, architecture)
			if err != nil {
				return err
			}
			objects[i] = object
			mu.Lock()
			defer mu.Unlock()
			done++
			if progress != nil {
				progress(done, len(units), object, time.Since(start))
			}
			return nil
		})
	}
	return objects, group.Wait()
}

// Find returns the objects of those units that are prebuilt or cached, in their order. It compiles nothing, but without
// NVRTC a unit that it does not find is an error.
func (c *Compiler) Find(ctx context.Context, architecture string, units []Unit) ([]*Object, error) {
	found := make([]*Object, len(units))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, unit := range units {
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.Library == nil {
				found[i], err = c.build(ctx, unit, architecture)
			} else {
				found[i], _, err = c.find(unit, architecture, unit.SourceKey(architecture))
			}
			return err
		})
	}
	err := group.Wait()
	return slices.DeleteFunc(found, func(o *Object) bool { return o == nil }), err
}

// Write builds the units and stores each in the folder under the name that a Prebuilt lookup uses. It is reproducible:
// equal sources and compilers give equal bytes.
func (c *Compiler) Write(ctx context.Context, architecture string, units []Unit, folder string,
	progress Progress) ([]*Object, error) {
	objects, err := c.Build(ctx, architecture, units, progress)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for i, object := range objects {
		if err := object.write(filepath.Join(folder, fileName(units[i].Name, object.SourceKey))); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

func fileName(unit, key string) string {
	return strings.TrimSuffix(filepath.Base(unit), ".cu") + "-" + key[:32] + extension
}

// find reads a unit from the prebuilt folder or the cache. It returns nil if neither has it, and the unit's path in the
// cache, which is empty without a cache.
func (c *Compiler) find(unit Unit, architecture, sourceKey string) (object *Object, path string, err error) {
	if c.Prebuilt != "" {
		object, err := read(filepath.Join(c.Prebuilt, fileName(unit.Name, sourceKey)), sourceKey, "")
		if err == nil {
			return object, "", nil
		}
		if c.Library == nil && !errors.Is(err, os.ErrNotExist) {
			return nil, "", err
		}
	}
	if c.Library == nil || c.Cache == "" {
		return nil, "", nil
	}
	path = filepath.Join(c.Cache, architecture, fileName(unit.Name, key(sourceKey, c.Library.Identity())))
	if object, err := read(path, sourceKey, c.Library.Identity()); err == nil {
		return object, path, nil
	}
	return nil, path, nil // an invalid file is replaced
}

func (c *Compiler) build(ctx context.Context, unit Unit, architecture string) (*Object, error) {
	sourceKey := unit.SourceKey(architecture)
	object, path, err := c.find(unit, architecture, sourceKey)
	switch {
	case err != nil || object != nil:
		return object, err
	case c.Library == nil:
		return nil, &NoCompilerError{Unit: unit.Name, Architecture: architecture, Prebuilt: c.Prebuilt}
	case path == "":
		return c.compile(unit, architecture, sourceKey)
	}
	return c.cached(ctx, unit, architecture, sourceKey, path)
}

// lockPoll is the interval for polling a lock held by another process.
const lockPoll = 20 * time.Millisecond

// cached compiles the unit into the file path of the cache while it holds an inter-process lock, unless another process
// did so meanwhile.
func (c *Compiler) cached(ctx context.Context, unit Unit, architecture, sourceKey, path string) (*Object, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("the kernel cache: %w", err)
	}
	lock := flock.New(path + ".lock")
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("locking the kernel cache: %w", err)
	}
	defer lock.Close()
	if object, err := read(path, sourceKey, c.Library.Identity()); err == nil {
		return object, nil
	}
	object, err := c.compile(unit, architecture, sourceKey)
	if err != nil {
		return nil, err
	}
	if err := object.write(path); err != nil {
		return nil, fmt.Errorf("the kernel cache: %w", err)
	}
	return object, nil
}

func (c *Compiler) compile(unit Unit, architecture, sourceKey string) (*Object, error) {
	cubin, log, err := c.Library.Compile(nvrtc.Program{Name: unit.Name, Source: unit.Source, Headers: unit.included(),
		Options: options(unit, architecture)})
	if err != nil {
		return nil, fmt.Errorf("compiling %s for %s: %w", unit.Name, architecture, err)
	}
	kernels, err := withEntryPoints(parseResources(log), cubin)
	if err != nil {
		return nil, fmt.Errorf("compiling %s for %s: %w", unit.Name, architecture, err)
	}
	return &Object{Name: unit.Name, Architecture: architecture, SourceKey: sourceKey, Compiler: c.Library.Identity(),
		Kernels: kernels, Cubin: cubin}, nil
}
