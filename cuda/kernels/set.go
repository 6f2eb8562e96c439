package kernels

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels/tuning"
)

// Set is the project's kernels in a context. [Set.Load] loads modules ahead of use. Other modules are loaded when one
// of their kernels is first requested.
type Set struct {
	context   *cuda.Context
	tuning    tuning.Device
	objects   []*compile.Object
	homes     map[string]*compile.Object // of kernels by name, and by unit and name
	modules   map[string]*cuda.Module    // loaded modules, by unit
	functions map[string]*cuda.Function  // of loaded modules, with the keys of homes
}

// Load compiles every unit for the context's device, or finds it compiled, and loads it. The caller may add units,
// such as generated ones. The context must be bound.
func Load(ctx context.Context, c *cuda.Context, compiler *compile.Compiler, progress compile.Progress,
	more ...compile.Unit) (*Set, error) {
	objects, err := compiler.Build(ctx, c.Device().Architecture, append(Units(), more...), progress)
	if err != nil {
		return nil, err
	}
	s := NewSet(c, objects)
	for _, object := range objects {
		if err := s.Load(object.Name); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// NewSet returns a set of the objects that [compile.Compiler.Build] compiled from [Units] and other units. It loads no
// module: the driver takes 0.4 ms to load one, and a proof uses a third of a machine's.
func NewSet(c *cuda.Context, objects []*compile.Object) *Set {
	s := &Set{context: c, tuning: tuning.For(c.Device().Architecture), objects: objects,
		homes: map[string]*compile.Object{}, modules: map[string]*cuda.Module{}, functions: map[string]*cuda.Function{}}
	for _, object := range objects {
		for _, kernel := range object.Kernels {
			s.homes[kernel.Name] = object
			s.homes[object.Name+"/"+kernel.Name] = object
		}
	}
	return s
}

// Load loads the modules of units, unless they are loaded. The context must be bound.
func (s *Set) Load(units ...string) error {
	for _, unit := range units {
		i := slices.IndexFunc(s.objects, func(o *compile.Object) bool { return o.Name == unit })
		if i < 0 {
			return fmt.Errorf("no unit %s is among the kernels", unit)
		}
		if err := s.load(s.objects[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) load(object *compile.Object) error {
	if s.modules[object.Name] != nil {
		return nil
	}
	module, err := s.context.LoadModule(object.Name, object.Cubin)
	if err != nil {
		return err
	}
	s.modules[object.Name] = module
	for _, kernel := range object.Kernels {
		function, err := module.Function(kernel.Name)
		if err != nil {
			return err
		}
		for _, name := range []string{kernel.Name, object.Name + "/" + kernel.Name} {
			if s.homes[name] == object { // several units may have kernels of that name
				s.functions[name] = function
			}
		}
	}
	return nil
}

// function returns a kernel by its key in homes, nil if there is none. It loads its module if need be.
func (s *Set) function(key string) (*cuda.Function, error) {
	if f, ok := s.functions[key]; ok {
		return f, nil
	}
	if home, ok := s.homes[key]; ok {
		err := s.load(home)
		return s.functions[key], err
	}
	return nil, nil
}

// Missing returns the units whose modules are not loaded.
func (s *Set) Missing(units []string) (missing []string) {
	for _, unit := range units {
		if s.modules[unit] == nil {
			missing = append(missing, unit)
		}
	}
	return missing
}

// Function returns a kernel by its source name, such as fill for chiasmus_fill. The context must be bound.
func (s *Set) Function(name string) (*cuda.Function, error) {
	f, err := s.function(Prefix + name)
	if f == nil && err == nil {
		err = fmt.Errorf("no kernel %s%s is among the kernels", Prefix, name)
	}
	return f, err
}

// FunctionOf returns a kernel of one unit; several units may have a kernel of the same name. The context must be bound.
func (s *Set) FunctionOf(unit, name string) (*cuda.Function, error) {
	f, err := s.function(unit + "/" + Prefix + name)
	if f == nil && err == nil {
		err = fmt.Errorf("no kernel %s%s of %s is among the kernels", Prefix, name, unit)
	}
	return f, err
}

// Prefix is the prefix of every entry point.
const Prefix = "chiasmus_"

// Close unloads the kernels. No kernel may be queued.
func (s *Set) Close() error {
	var err error
	for _, module := range s.modules {
		err = errors.Join(err, module.Close())
	}
	s.modules, s.functions, s.homes = nil, nil, nil
	return err
}

// launch finds a kernel and queues it.
func (s *Set) launch(stream *cuda.Stream, name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	f, err := s.Function(name)
	if err != nil {
		return err
	}
	return f.Launch(stream, shape, arguments...)
}
