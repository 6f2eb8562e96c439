package harness

import "strings"

// joinWords lists words as in "a, b and c".
func joinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

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
