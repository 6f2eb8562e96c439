package bundle

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/chiasmus/chiasmus/internal/plural"
)

// root is the folder within the archive.
const root = "chiasmus-bundle"

// contents maps each name in a bundle to a file of this host or a text.
type contents struct {
	entries map[string]entry
}

type entry struct {
	from       string
	text       string
	executable bool
	bytes      int64
}

func (list *contents) add(name string, one entry) {
	if list.entries == nil {
		list.entries = map[string]entry{}
	}
	list.entries[name] = one
}

func (list *contents) text(name, text string, executable bool) {
	list.add(name, entry{text: text, executable: executable, bytes: int64(len(text))})
}

// file adds a file. It follows symbolic links.
func (list *contents) file(name, from string) error {
	information, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !information.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", from)
	}
	list.add(name, entry{from: from, executable: information.Mode()&0o111 != 0, bytes: information.Size()})
	return nil
}

// folder adds every file below a folder.
func (list *contents) folder(name, from string) error {
	return filepath.WalkDir(from, func(file string, one fs.DirEntry, err error) error {
		if err != nil || one.IsDir() {
			return err
		}
		relative, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		return list.file(path.Join(name, filepath.ToSlash(relative)), file)
	})
}

// write packs all entries, sorted by name and without times, so that equal contents give equal bytes.
func (list *contents) write(out string, limit int64) (*Summary, error) {
	// Some files lie in a temporary folder, so all must be read before write returns.
	file, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	err = list.pack(file, filepath.Ext(out))
	information, failed := file.Stat()
	if err = errors.Join(err, failed, file.Chmod(0o644), file.Close()); err != nil {
		return nil, err
	}
	summary := &Summary{Bytes: information.Size(), Parts: list.parts()}
	if limit > 0 && summary.Bytes > limit {
		return nil, fmt.Errorf("the bundle has %.1f MB: at most %.1f MB are allowed (--max-megabytes); before "+
			"compression: %s",
			megabytes(summary.Bytes), megabytes(limit), summary)
	}
	return summary, os.Rename(file.Name(), out)
}

// CheckName returns an error unless the name of an archive has a supported extension.
func CheckName(out string) error {
	_, err := compressor(io.Discard, filepath.Ext(out))
	return err
}

// compressor returns the compressor for the extension of an archive's name. Every tar reads gzip. Zstandard makes a
// bundle a quarter smaller; to read it, tar needs the program zstd. The encoder in Go gives the same bytes everywhere.
func compressor(w io.Writer, extension string) (io.WriteCloser, error) {
	switch extension {
	case ".gz", ".tgz":
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	case ".zst":
		// The window spans programs that share code. Decompressors allow twice this window by default.
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(64<<20),
			zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("want a bundle name that ends with .tar.gz or .tar.zst, not %q", extension)
}

// pack writes the archive, compressed as the extension says.
func (list *contents) pack(w io.Writer, extension string) error {
	compressed, err := compressor(w, extension)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(list.entries)) {
		if err := list.entries[name].pack(archive, path.Join(root, name)); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func (one entry) pack(archive *tar.Writer, name string) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: one.bytes, Format: tar.FormatPAX}
	if one.executable {
		header.Mode = 0o755
	}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	if one.from == "" {
		_, err := io.WriteString(archive, one.text)
		return err
	}
	file, err := os.Open(one.from)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(archive, file)
	return err
}

// parts returns the totals of each top-level folder.
func (list *contents) parts() []Part {
	sums := map[string]*Part{}
	for name, one := range list.entries {
		top, _, _ := strings.Cut(name, "/")
		if sums[top] == nil {
			sums[top] = &Part{Name: top}
		}
		sums[top].Files++
		sums[top].Bytes += one.bytes
	}
	var parts []Part
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		parts = append(parts, *sums[name])
	}
	return parts
}

func (summary *Summary) String() string {
	var words []string
	for _, part := range summary.Parts {
		words = append(words, fmt.Sprintf("%s %.1f MB in %s", part.Name, megabytes(part.Bytes),
			plural.Of(part.Files, "file")))
	}
	return strings.Join(words, ", ")
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
