package kernels

import (
	"context"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels/tuning"
)

// Set is the project's kernels, loaded into a context.
type Set struct {
	context   *cuda.Context
	tuning    tuning.Device
	modules   []*cuda.Module
	functions map[string]*cuda.Function // by name, and by unit and name
	objects   []*compile.Object
}

// Load compiles every unit for the context's device, or finds it compiled, and loads it. The caller may add units,
// such as generated ones. The context must be bound.
func Load(ctx context.Context, c *cuda.Context, compiler *compile.Compiler, progress compile.Progress,
	more ...compile.Unit) (*Set, error) {
	objects, err := compiler.Build(ctx, c.Device().Architecture, append(Units(), more...), progress)
	if err != nil {
		return nil, err
	}
	return LoadObjects(c, objects)
}

// LoadObjects loads the objects that [compile.Compiler.Build] made of [Units] and others. The context must be bound.
func LoadObjects(c *cuda.Context, objects []*compile.Object) (*Set, error) {
	s := &Set{context: c, tuning: tuning.For(c.Device().Architecture), functions: map[string]*cuda.Function{},
		objects: objects}
	for _, object := range objects {
		if err := s.load(object); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (s *Set) load(object *compile.Object) error {
	module, err := s.context.LoadModule(object.Name, object.Cubin)
	if err != nil {
		return err
	}
	s.modules = append(s.modules, module)
	for _, kernel := range object.Kernels {
		function, err := module.Function(kernel.Name)
		if err != nil {
			return err
		}
		s.functions[kernel.Name] = function
		s.functions[object.Name+"/"+kernel.Name] = function
	}
	return nil
}

// Function returns a kernel by its source name, such as fill for chiasmus_fill.
func (s *Set) Function(name string) (*cuda.Function, error) {
	if f, ok := s.functions[Prefix+name]; ok {
		return f, nil
	}
	return nil, fmt.Errorf("no kernel %s%s is loaded", Prefix, name)
}

// FunctionOf returns a kernel of one unit; several units may have a kernel of the same name.
func (s *Set) FunctionOf(unit, name string) (*cuda.Function, error) {
	if f, ok := s.functions[unit+"/"+Prefix+name]; ok {
		return f, nil
	}
	return nil, fmt.Errorf("no kernel %s%s of %s is loaded", Prefix, name, unit)
}

// Prefix is the prefix of every entry point.
const Prefix = "chiasmus_"

// Objects returns the loaded objects, with the compiler's report of each kernel.
func (s *Set) Objects() []*compile.Object { return s.objects }

// Close unloads the kernels. No kernel may be queued.
func (s *Set) Close() error {
	var err error
	for _, module := range s.modules {
		err = errors.Join(err, module.Close())
	}
	s.modules, s.functions = nil, nil
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
