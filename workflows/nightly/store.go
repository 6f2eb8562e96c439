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

// A Store keeps the history in one file per year, because a single file would eventually be too large for GitHub.
type Store interface {
	// Read returns the history.
	Read(ctx context.Context) (History, error)
	// Append adds records and keeps the records that others have added since Read.
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

// A FileStore keeps the history on this machine, in files named after Path and the year: history-2026.jsonl for
// history.jsonl. Path itself is read first: earlier versions kept all records in it. Missing files are an empty
// history.
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
		part, err := readHistory(bytes.NewReader(data), path)
		if err != nil {
			return nil, err
		}
		history = append(history, part...)
	}
	return history, nil
}

func (store FileStore) stem() string { return strings.TrimSuffix(store.Path, filepath.Ext(store.Path)) }

// escapeGlob escapes a path for use in a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Append implements Store. It syncs the lines before it returns.
func (store FileStore) Append(_ context.Context, records []Record, _ string) error {
	if err := os.MkdirAll(filepath.Dir(store.Path), 0o755); err != nil {
		return err
	}
	years := byYear(records)
	for _, year := range slices.Sorted(maps.Keys(years)) {
		data, err := encode(years[year])
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

// HistoryFile is the history's name on this machine, and on the branch for records of earlier versions, which had one
// file.
const HistoryFile = "history.jsonl"

// historyFolder has the history's files on its branch.
const historyFolder = "history"

// A BranchStore keeps the history on a branch of the repository, which is created at Start if it does not exist.
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
		part, err := readHistory(bytes.NewReader(file.Content), store.Branch+":"+name)
		if err != nil {
			return nil, err
		}
		history = append(history, part...)
	}
	return history, nil
}

// Append implements Store. It does not add a line that is already on the branch, so publishing is idempotent. If
// another writer intervened, it reads the file again.
func (store BranchStore) Append(ctx context.Context, records []Record, message string) error {
	if err := store.Client.EnsureBranch(ctx, store.Branch, store.Start); err != nil {
		return err
	}
	years := byYear(records)
	for _, year := range slices.Sorted(maps.Keys(years)) {
		data, err := encode(years[year])
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
