package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// numberOrAuto reads a number of processes or builds, or auto, which is 0.
func (d *decoder) numberOrAuto(v value, into *int, most int) {
	if s, ok := scalarOf(d.resolve(v.node)); ok && s.text == "auto" {
		*into = 0
		return
	}
	d.integer(v, into, 1, most)
}

// layout reads build.layout.
func (d *decoder) layout(v value, into *Layout) {
	d.mapping(v, fields{
		"env":  func(v value) { d.environment(v, &into.Env) },
		"args": func(v value) { d.argv(v, &into.Args) },
	})
	for _, text := range append(slices.Collect(maps.Values(into.Env)), into.Args...) {
		if strings.Contains(text, layoutSeed) {
			return
		}
	}
	d.fail(v.node, v.key, "does not contain %s, so all builds would be equal", layoutSeed)
}

// layoutSeed is the placeholder for the seed of a layout.
const layoutSeed = "{layout}"

// With returns the build with this seed for its layout.
func (b Build) With(seed uint64) Build {
	text := strconv.FormatUint(max(1, seed%(1<<31)), 10) // a range that every linker accepts as a seed
	b.Command, b.Env = slices.Clone(b.Command), maps.Clone(b.Env)
	if b.Env == nil {
		b.Env = map[string]string{}
	}
	for name, value := range b.Layout.Env {
		b.Env[name] = strings.ReplaceAll(value, layoutSeed, text)
	}
	for _, word := range b.Layout.Args {
		b.Command = append(b.Command, strings.ReplaceAll(word, layoutSeed, text))
	}
	b.Drawn = true
	return b
}

// WithoutLayout returns the build without its seed: it is equal for all layouts of a build, and for one without a
// layout.
func (b Build) WithoutLayout() Build {
	if b.Drawn {
		b.Command = b.Command[:len(b.Command)-len(b.Layout.Args)]
	}
	b.Env = maps.Clone(b.Env)
	maps.DeleteFunc(b.Env, func(name, _ string) bool { _, drawn := b.Layout.Env[name]; return drawn })
	if len(b.Env) == 0 {
		b.Env = nil
	}
	b.Drawn = false
	return b
}
