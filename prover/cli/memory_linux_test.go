package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// The available memory is the host's, or the least that a control group leaves. Files that are missing or state no
// limit are ignored.
func TestAvailableMemory(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	limit, used, none := file("limit", "1000\n"), file("used", "400\n"), file("none", "max\n")
	stat := file("stat", "anon 80\ninactive_file 100\nactive_file 30\nshmem 7\n")
	missing := filepath.Join(folder, "missing")
	for name, tc := range map[string]struct {
		host   uint64
		groups []controlGroup
		want   uint64
	}{
		"the host's":           {900, nil, 900},
		"a group's":            {900, []controlGroup{{limit, used, missing}}, 600},
		"the host has less":    {500, []controlGroup{{limit, used, missing}}, 500},
		"no limit":             {900, []controlGroup{{none, used, missing}}, 900},
		"no group":             {900, []controlGroup{{missing, missing, missing}}, 900},
		"unknown use":          {0, []controlGroup{{limit, missing, stat}}, 1000},
		"more used than given": {900, []controlGroup{{used, limit, missing}}, 1},
		"files in memory":      {900, []controlGroup{{limit, used, stat}}, 730},
		"the second":           {900, []controlGroup{{missing, used, missing}, {limit, used, missing}}, 600},
	} {
		if have := availableIn(tc.host, tc.groups...); have != tc.want {
			t.Errorf("%s: %d available, want %d", name, have, tc.want)
		}
	}
	if availableMemory() == 0 {
		t.Error("this host has no memory")
	}
}
