package nightly

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/workflows/api"
)

// A Store keeps the history, in a file for each year: one that grew for ever would be too large for GitHub some day.
type Store interface {
	// Read returns the history.
	Read(ctx context.Context) (History, error)
	// Append adds records; what was appended by somebody else since Read is kept.
	Append(ctx context.Context, records []Record, message string) error
}

// byYear groups records by the year of their night.
func byYear(records []Record) map[string][]Record {
	years := map[string][]Record{}
	for _, record := range records {
		year, _, _ := strings.Cut(record.Night, "-")
		years[year] = append(years[year], record)
	}
	return years
}

// A FileStore keeps the history on this machine, in files beside Path whose names end in the year: history-2026.jsonl
// for history.jsonl. Path itself is read before them: it holds what was written before there were years. Missing files
// are an empty history.
type FileStore struct{ Path string }

// Read implements Store.
func (store FileStore) Read(context.Context) (History, error) {
	years, err := filepath.Glob(escapeGlob(store.stem()) + "-[0-9][0-9][0-9][0-9]" + escapeGlob(filepath.Ext(store.Path)))
	if err != nil {
		return nil, err
	}
	slices.Sort(years)
	var history History
	for _, path := range append([]string{store.Path}, years...) {
		data, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		part, err := ReadHistory(bytes.NewReader(data), path)
		if err != nil {
			return nil, err
		}
		history = append(history, part...)
	}
	return history, nil
}

func (store FileStore) stem() string { return strings.TrimSuffix(store.Path, filepath.Ext(store.Path)) }

// escapeGlob keeps a path from being read as a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Append implements Store: the lines are synced before it returns.
func (store FileStore) Append(_ context.Context, records []Record, _ string) error {
	if err := os.MkdirAll(filepath.Dir(store.Path), 0o755); err != nil {
		return err
	}
	years := byYear(records)
	for _, year := range slices.Sorted(maps.Keys(years)) {
		data, err := Encode(years[year])
		if err != nil {
			return err
		}
		if err := appendSynced(store.stem()+"-"+year+filepath.Ext(store.Path), data); err != nil {
			return err
		}
	}
	return nil
}

func appendSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// HistoryFile is the history's name, on this machine and, of what was written before there were years, on its branch.
const HistoryFile = "history.jsonl"

// historyFolder holds a file for each year of the history on its branch.
const historyFolder = "history"

// A BranchStore keeps the history on a branch of the repository, which is made at Start where it does not exist.
type BranchStore struct {
	Client *api.Client
	Branch string
	Start  string
}

// Read implements Store.
func (store BranchStore) Read(ctx context.Context) (History, error) {
	years, err := store.Client.ListFiles(ctx, store.Branch, historyFolder)
	if err != nil {
		return nil, err
	}
	slices.Sort(years)
	names := []string{HistoryFile}
	for _, year := range years {
		if path.Ext(year) == ".jsonl" {
			names = append(names, path.Join(historyFolder, year))
		}
	}
	var history History
	for _, name := range names {
		file, err := store.Client.ReadFile(ctx, store.Branch, name)
		if err != nil {
			return nil, err
		}
		part, err := ReadHistory(bytes.NewReader(file.Content), store.Branch+":"+name)
		if err != nil {
			return nil, err
		}
		history = append(history, part...)
	}
	return history, nil
}

// Append implements Store. A line that is on the branch already is not added again, so that a repeated publish is
// harmless; a writer that came between is read again.
func (store BranchStore) Append(ctx context.Context, records []Record, message string) error {
	if err := store.Client.EnsureBranch(ctx, store.Branch, store.Start); err != nil {
		return err
	}
	years := byYear(records)
	for _, year := range slices.Sorted(maps.Keys(years)) {
		data, err := Encode(years[year])
		if err != nil {
			return err
		}
		if err := store.append(ctx, path.Join(historyFolder, year+".jsonl"), data, message); err != nil {
			return fmt.Errorf("the history of %s: %w", year, err)
		}
	}
	return nil
}

func (store BranchStore) append(ctx context.Context, name string, data []byte, message string) error {
	for attempt := 0; ; attempt++ {
		file, err := store.Client.ReadFile(ctx, store.Branch, name)
		if err != nil {
			return err
		}
		if bytes.Contains(file.Content, data) {
			return nil
		}
		file.Content = append(file.Content, data...)
		err = store.Client.WriteFile(ctx, store.Branch, name, message, file)
		if !errors.Is(err, api.ErrConflict) || attempt == 4 {
			return err
		}
	}
}
