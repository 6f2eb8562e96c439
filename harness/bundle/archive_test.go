package bundle

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Both kinds of archives contain the same bytes, and repeated packing reproduces them.
func TestCompressors(t *testing.T) {
	list := &contents{}
	list.text("a", strings.Repeat("one text ", 5000), false)
	list.text("b/c", "another", true)
	folder := t.TempDir()
	packed := func(name string) []byte {
		out := filepath.Join(folder, name)
		if _, err := list.write(out, 0); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	plain := func(r io.Reader, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	asGzip, asZstandard := packed("x.tar.gz"), packed("x.tar.zst")
	if !bytes.Equal(asZstandard, packed("y.tar.zst")) {
		t.Error("the same contents give other bytes")
	}
	unzipped := plain(gzip.NewReader(bytes.NewReader(asGzip)))
	decoder, err := zstd.NewReader(bytes.NewReader(asZstandard))
	if !bytes.Equal(unzipped, plain(decoder, err)) || !bytes.Contains(unzipped, []byte("chiasmus-bundle/b/c")) {
		t.Error("the archives differ")
	}
	if _, err := list.write(filepath.Join(folder, "x.zip"), 0); err == nil || !strings.Contains(err.Error(), ".tar.zst") {
		t.Errorf("x.zip: %v", err)
	}
}

// All placeholders of the launcher and the page are filled in, with Go and without.
func TestTexts(t *testing.T) {
	options := Options{Base: "b0", Head: "h1"}
	for _, c := range []struct {
		golang    *golang
		has, lack string
	}{
		{nil, "network and without git", "without Go"},
		{&golang{version: "go9"}, "a toolchain (go9)", "{{"},
		{&golang{version: "go9"}, "GOFLAGS=-mod=readonly\n", "{{"},
		{&golang{version: "go9", vendored: true}, "GOFLAGS=\n", "-mod"},
	} {
		list := &contents{}
		list.texts(options, c.golang)
		both := list.entries["README"].text + list.entries["run"].text
		if !strings.Contains(both, c.has) || strings.Contains(both, c.lack) ||
			!strings.Contains(both, "--base b0 --head h1") {
			t.Errorf("want %q and not %q in\n%s", c.has, c.lack, both)
		}
	}
}
