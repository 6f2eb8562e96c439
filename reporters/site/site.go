// Package site makes pages over many runs: an index with the trend of every workload and stage, a page that shows any
// two runs side by side, and the page of each run. They are made from report.json files alone, wherever those lie below
// a folder, and need no script: the same pages are served locally and lie as files on a web host.
package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/html"
)

// reportFile is what a run's folder has when it is over.
const reportFile = "report.json"

// mostReport bounds a report that is read.
const mostReport = 1 << 30

// A Site is the runs below a folder.
type Site struct {
	Title, Version string
	Runs           []html.SiteRun
	// Unread says which reports could not be read, and why.
	Unread []string
}

// Load reads every report.json below a folder. A folder that is named here may be a repository, whose runs lie in
// .chiasmus/runs, a folder of runs, or one of several of either.
func Load(folder, version string) (*Site, error) {
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
		report, err := read(path)
		if err == nil && seen[report.Run.ID] {
			err = fmt.Errorf("%s: another report has the ID %s", path, report.Run.ID)
		}
		if err != nil {
			s.Unread = append(s.Unread, err.Error())
			return nil
		}
		seen[report.Run.ID] = true
		s.Runs = append(s.Runs, html.SiteRun{Report: report, Page: pageOf(report.Run.ID)})
		return nil
	})
	return s, err
}

// read reads one report.
func read(path string) (*harness.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report := new(harness.Report)
	if err := json.NewDecoder(io.LimitReader(file, mostReport)).Decode(report); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case report.Schema != harness.ReportSchema:
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", path, report.Schema, harness.ReportSchema)
	case !plainID(report.Run.ID):
		return nil, fmt.Errorf("%s: the ID %q of its run names no page", path, report.Run.ID)
	}
	return report, nil
}

// plainID says whether an ID can be part of an address and of a file's name as it is.
func plainID(id string) bool {
	return id != "" && len(id) <= 200 &&
		strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.") == "" &&
		!strings.HasPrefix(id, ".")
}

// pageOf is the address of a run's page, seen from the index.
func pageOf(id string) string { return "run-" + id + ".html" }

// pages are the addresses of all pages.
func (s *Site) pages() []string {
	list := []string{"index.html", "compare.html"}
	for _, run := range s.Runs {
		list = append(list, run.Page)
	}
	return list
}

// errNoPage is of an address that is none.
var errNoPage = errors.New("no such page")

// write writes one page.
func (s *Site) write(w io.Writer, page string) error {
	switch page {
	case "index.html":
		return html.WriteSiteIndex(w, s.Title, s.Version, s.Runs)
	case "compare.html":
		return html.WriteSiteCompare(w, s.Title, s.Version, s.Runs)
	}
	at := slices.IndexFunc(s.Runs, func(run html.SiteRun) bool { return run.Page == page })
	if at < 0 {
		return fmt.Errorf("%s: %w", page, errNoPage)
	}
	return html.Write(w, s.Runs[at].Report)
}

// Export writes all pages into a folder, which it makes.
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

// Handler serves the pages over a folder, read again for every request, so that a run that has just ended is there. It
// answers reading requests to this host by its own names alone: a page of somebody else's cannot reach it under
// another.
func Handler(folder, version string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := strings.TrimPrefix(r.URL.Path, "/")
		if page == "" {
			page = "index.html"
		}
		switch {
		case !local(r.Host):
			http.Error(w, "this address is of this host alone", http.StatusForbidden)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "pages are read", http.StatusMethodNotAllowed)
			return
		}
		s, err := Load(folder, version)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		var text strings.Builder
		switch err := s.write(&text, page); {
		case errors.Is(err, errNoPage):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, text.String()) // whoever asked may have gone
	})
}

// local says whether a request's Host is a name of this host.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
