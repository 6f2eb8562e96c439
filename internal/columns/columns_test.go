package columns_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/internal/columns"
)

func TestFill(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 40))
	got := columns.Fill("One paragraph\nof two lines.\n\n  a list   of\n  columns\n" + long +
		"\n\nExit codes:\n  0    done")
	want := "One paragraph of two lines.\n\n  a list   of\n  columns\n" +
		strings.TrimSpace(strings.Repeat("word ", 16)) + "\n" + strings.TrimSpace(strings.Repeat("word ", 16)) + "\n" +
		strings.TrimSpace(strings.Repeat("word ", 8)) + "\n\nExit codes:\n  0    done"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The help of a flag is wrapped, and a line that cannot be wrapped is found.
func TestTooWide(t *testing.T) {
	root := &cobra.Command{Use: "root", Run: func(*cobra.Command, []string) {}}
	child := &cobra.Command{Use: "child", Short: "short", Long: strings.Repeat("word ", 40),
		Run: func(*cobra.Command, []string) {}}
	child.Flags().String("flag", "", strings.Repeat("what it does ", 20))
	root.AddCommand(child)
	if list := columns.TooWide(root); len(list) != 2 {
		t.Errorf("before: %q", list)
	}
	columns.Fit(root)
	if list := columns.TooWide(root); len(list) != 0 {
		t.Errorf("after: %q", list)
	}
	child.Example = "  " + strings.Repeat("x", 79)
	if list := columns.TooWide(root); len(list) != 1 || !strings.HasPrefix(list[0], "root child:   xxx") {
		t.Errorf("an example of 81 columns: %q", list)
	}
}

// A line that fits is kept unchanged. A longer one continues below, and only a word wider than a line stays too wide.
func TestHang(t *testing.T) {
	fits := strings.Repeat("x", 40) + "  " + strings.Repeat("y", 38)
	path := "/" + strings.Repeat("p", 99)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{fits, fits},
		{fits + "z", strings.Repeat("x", 40) + "\n  " + strings.Repeat("y", 38) + "z"},
		{"a  b " + strings.Repeat("word ", 20), "a  b" + strings.Repeat(" word", 15) + "\n  word word word word word"},
		{"the run is in " + path, "the run is in\n  " + path},
		{path + " is there", path + "\n  is there"},
		{"short\n    " + strings.TrimSpace(strings.Repeat("漢字漢字 ", 9)), "short\n    " +
			strings.TrimSpace(strings.Repeat("漢字漢字 ", 8)) + "\n      漢字漢字"},
	} {
		if got := columns.Hang(test.text); got != test.want {
			t.Errorf("Hang(%q):\n%s\nwant\n%s", test.text, got, test.want)
		}
	}
}
