// Package site generates pages over many runs: an index with every workload and stage over commits or time, a table of
// all changes, runs side by side, and a page per run. Its only input are report.json files anywhere below a folder. The
// pages can be served locally, hosted, or opened as files.
//
//	report.json ... -> Load -> Run (a report without its samples) -> data (JSON) -> index.html
//	                        -> html.Write                                        -> run-ID.html
//
// The index contains its data, script and style sheet, so that it works from a file. Its content security policy names
// the hashes of the scripts and the style sheet, and permits nothing else. uPlot, in assets with its licence, draws the
// charts.
package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/html"
)

// reportFile is the file that every finished run has.
const reportFile = "report.json"

// mostReport bounds the size of a report.
const mostReport = 1 << 30

// A Site has the runs below a folder.
type Site struct {
	Title, Version string
	Runs           []Run
	// Unread lists the reports that could not be read, with reasons.
	Unread []string
}

// Load reads every report.json below a folder. The folder may be a repository, whose runs are in .chiasmus/runs, a
// folder of runs, or a parent of several of these.
func Load(folder, version string) (*Site, error) { return (&loader{}).load(folder, version) }

// A loader reads reports and caches them until they change.
type loader struct {
	mutex sync.Mutex
	known map[string]known
}

// known is a cached report file.
type known struct {
	bytes    int64
	modified time.Time
	runs     []Run
	err      error
}

func (l *loader) load(folder, version string) (*Site, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	s := &Site{Title: "Chiasmus: runs in " + filepath.Base(absolute), Version: version}
	seen := map[string]bool{}
	err = filepath.WalkDir(absolute, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == absolute:
			return err
		case err != nil:
			s.Unread = append(s.Unread, err.Error())
			return nil
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "proofs" || d.Name() == "logs"):
			return fs.SkipDir
		case d.Name() != reportFile || !d.Type().IsRegular():
			return nil
		}
		runs, err := l.summaries(path, d)
		if err == nil && seen[runs[0].Page] {
			err = fmt.Errorf("%s: another report has the ID %s", path, runs[0].ID)
		}
		if err != nil {
			s.Unread = append(s.Unread, err.Error())
			return nil
		}
		seen[runs[0].Page] = true
		s.Runs = append(s.Runs, runs...)
		return nil
	})
	return s, err
}

// summaries returns the index entries of a report: one, or one for each of several heads.
func (l *loader) summaries(path string, entry fs.DirEntry) ([]Run, error) {
	info, err := entry.Info()
	if err != nil {
		return nil, err
	}
	if k, ok := l.known[path]; ok && k.bytes == info.Size() && k.modified.Equal(info.ModTime()) {
		return k.runs, k.err
	}
	k := known{bytes: info.Size(), modified: info.ModTime()}
	report, err := read(path)
	if err == nil {
		for _, one := range report.EachHead() {
			run := summarize(one, path)
			if len(report.Heads) > 0 {
				run.ID += " " + document.Clean(one.Head.Label())
			}
			k.runs = append(k.runs, run)
		}
	}
	k.err = err
	if l.known == nil {
		l.known = map[string]known{}
	}
	l.known[path] = k
	return k.runs, k.err
}

// read reads one report.
func read(path string) (*report.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := new(report.Report)
	if err := json.NewDecoder(io.LimitReader(file, mostReport)).Decode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case r.Schema != report.Schema:
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", path, r.Schema, report.Schema)
	case !plainID(r.Run.ID):
		return nil, fmt.Errorf("%s: run ID %q cannot be used as a file name", path, r.Run.ID)
	}
	return r, nil
}

// plainID reports whether an ID can be used unescaped in an address and a file name.
func plainID(id string) bool {
	return id != "" && len(id) <= 200 &&
		strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.") == "" &&
		!strings.HasPrefix(id, ".")
}

// pageOf is the address of a run's page, relative to the index.
func pageOf(id string) string { return "run-" + id + ".html" }

// pages returns the addresses of all pages.
func (s *Site) pages() []string {
	list := []string{indexPage, comparePage}
	for _, run := range s.Runs {
		if !slices.Contains(list, run.Page) { // the heads of a run share a page
			list = append(list, run.Page)
		}
	}
	return list
}

// errNoPage reports an address without a page.
var errNoPage = errors.New("no such page")

// write writes one page.
func (s *Site) write(w io.Writer, page string) error {
	switch page {
	case indexPage:
		return writeIndex(w, s)
	case comparePage:
		return writeMoved(w)
	}
	at := slices.IndexFunc(s.Runs, func(run Run) bool { return run.Page == page })
	if at < 0 {
		return fmt.Errorf("%s: %w", page, errNoPage)
	}
	report, err := read(s.Runs[at].file)
	if err != nil {
		return err
	}
	return html.Write(w, report)
}

// Export writes all pages into a folder, which it creates.
func (s *Site) Export(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, page := range s.pages() {
		file, err := os.Create(filepath.Join(folder, page))
		if err != nil {
			return err
		}
		if err := errors.Join(s.write(file, page), file.Close()); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return nil
}
