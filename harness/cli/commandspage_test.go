package cli_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/cli"
)

// docs/reference/commands.md has every command that the help lists, and no other.
func TestCommandsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"--help"}
	if code := cli.Main(args, &out, &out); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	_, list, _ := strings.Cut(out.String(), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	known := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^  (\S+)`).FindAllStringSubmatch(list, -1) {
		if match[1] != "help" {
			known[match[1]] = true
		}
	}
	if len(known) < 10 {
		t.Fatalf("the help lists %d commands", len(known))
	}
	for _, match := range regexp.MustCompile("(?m)^\\| `harness (\\S+)` ").FindAllStringSubmatch(string(page), -1) {
		if !known[match[1]] {
			t.Errorf("the page has harness %s, which the help does not list", match[1])
		}
		delete(known, match[1])
	}
	for name := range known {
		t.Errorf("the page lacks harness %s", name)
	}
}
