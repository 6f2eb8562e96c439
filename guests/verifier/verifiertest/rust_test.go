package verifiertest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The crate for Rust has the checks of verifier.h, in their order: it makes checks of the verifier's numbers.
func TestChecksOfRust(t *testing.T) {
	text, err := os.ReadFile("../../rust/chiasmus-verify/src/check.rs")
	must(t, err)
	_, list, _ := strings.Cut(string(text), "pub enum Check {\n")
	list, rest, found := strings.Cut(list, "}\n")
	if !found || !strings.Contains(rest, "Check::Role as i32") {
		t.Fatal("check.rs has no enum Check, or its last check is not Role")
	}
	var checks []string
	for _, name := range regexp.MustCompile(`(?m)^    (\w+)( = 1)?,$`).FindAllStringSubmatch(list, -1) {
		checks = append(checks, name[1])
	}
	var want []string
	for _, name := range verdicts[1:] {
		var camel string
		for word := range strings.SplitSeq(strings.TrimPrefix(name, "VERIFIER_"), "_") {
			camel += word[:1] + strings.ToLower(word[1:])
		}
		want = append(want, camel)
	}
	if !slices.Equal(checks, want) || !strings.HasPrefix(list, "    FileEnds = 1,\n") {
		t.Errorf("check.rs has %q, verifier.h has %q", checks, want)
	}
}
