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

// Set is the project's kernels in a context. [Set.Load] compiles and loads units ahead of use. Other units are loaded,
// and compiled if need be, when one of their kernels is first requested.
type Set struct {
	context   *cuda.Context
	tuning    tuning.Device
	build     Build
	units     []compile.Unit
	objects   map[string]*compile.Object // compiled units
	homes     map[string]*compile.Object // of kernels of compiled units, by name, and by unit and name
	modules   map[string]*cuda.Module    // loaded modules, by unit
	functions map[string]*cuda.Function  // of loaded modules, with the keys of homes
}

// Build compiles units for the device of a [Set] and returns their objects in order, as [compile.Compiler.Build] does.
type Build func(units []compile.Unit) ([]*compile.Object, error)

// Load compiles every unit for the context's device, or finds it compiled, and loads it. The caller may add units,
// such as generated ones. The context must be bound.
func Load(ctx context.Context, c *cuda.Context, compiler *compile.Compiler, progress compile.Progress,
	more ...compile.Unit) (*Set, error) {
	units := append(Units(), more...)
	s := NewSet(c, units, func(units []compile.Unit) ([]*compile.Object, error) {
		return compiler.Build(ctx, c.Device().Architecture, units, progress)
	})
	var names []string
	for _, unit := range units {
		names = append(names, unit.Name)
	}
	if err := s.Load(names...); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// NewSet returns a set of units. It compiles and loads nothing: NVRTC takes 0.1 to 1 s to compile a unit and the driver
// 0.4 ms to load it, and a proof uses a third of a machine's units at most. Units that are compiled already may be
// passed to [Set.Add].
func NewSet(c *cuda.Context, units []compile.Unit, build Build) *Set {
	return &Set{context: c, tuning: tuning.For(c.Device().Architecture), build: build, units: units,
		objects: map[string]*compile.Object{}, homes: map[string]*compile.Object{}, modules: map[string]*cuda.Module{},
		functions: map[string]*cuda.Function{}}
}

// Add adds compiled units of the set.
func (s *Set) Add(objects ...*compile.Object) {
	for _, object := range objects {
		s.objects[object.Name] = object
		for _, kernel := range object.Kernels {
			s.homes[kernel.Name] = object
			s.homes[object.Name+"/"+kernel.Name] = object
		}
	}
}

// Load compiles units together, unless they are compiled, and loads their modules, unless they are loaded. The context
// must be bound.
func (s *Set) Load(units ...string) error {
	var missing []compile.Unit
	for _, name := range units {
		i := slices.IndexFunc(s.units, func(u compile.Unit) bool { return u.Name == name })
		if i < 0 {
			return fmt.Errorf("no unit %s is among the kernels", name)
		}
		if s.objects[name] == nil {
			missing = append(missing, s.units[i])
		}
	}
	if len(missing) > 0 {
		objects, err := s.build(missing)
		if err != nil {
			return err
		}
		s.Add(objects...)
	}
	for _, name := range units {
		if err := s.load(s.objects[name]); err != nil {
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

// function returns a kernel by its key in homes, nil if no compiled unit has it. It loads its module if need be.
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

// Function returns a kernel of a compiled unit by its source name, such as fill for chiasmus_fill. The context must be
// bound.
func (s *Set) Function(name string) (*cuda.Function, error) {
	f, err := s.function(Prefix + name)
	if f == nil && err == nil {
		err = fmt.Errorf("no kernel %s%s is among the compiled kernels", Prefix, name)
	}
	return f, err
}

// FunctionOf returns a kernel of one unit; several units may have a kernel of the same name. It compiles and loads the
// unit if need be. The context must be bound.
func (s *Set) FunctionOf(unit, name string) (*cuda.Function, error) {
	if s.modules[unit] == nil {
		if err := s.Load(unit); err != nil {
			return nil, err
		}
	}
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

// launch finds a kernel and queues it. The launch must have one layer of blocks: mad_sum (ptx.cuh) takes their number
// as a factor of 1.
func (s *Set) launch(stream *cuda.Stream, name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	if shape.Grid.Z > 1 {
		return fmt.Errorf("kernel %s: a launch of %d layers of blocks, want 1", name, shape.Grid.Z)
	}
	return s.launchLayers(stream, name, shape, arguments...)
}

// launchLayers is launch for a kernel without mad_sum, with any number of layers.
func (s *Set) launchLayers(stream *cuda.Stream, name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	f, err := s.Function(name)
	if err != nil {
		return err
	}
	return f.Launch(stream, shape, arguments...)
}
