package measure

import (
	"strings"
)

// toolchain names the compilers among the tools of a build.
func toolchain(tools map[string]string) string {
	var list []string
	for _, name := range []string{"go", "rustc", "gcc", "clang", "nvcc", "zig"} {
		if version, ok := tools[name]; ok {
			list = append(list, version)
		}
	}
	return strings.Join(list, ", ")
}
