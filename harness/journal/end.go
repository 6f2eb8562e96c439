package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// EndSuffix ends the name of the file beside a journal that says how it ends.
const EndSuffix = ".end"

// An end is what a journal ends with. No record tells that one after it is lost, so the end is kept beside the journal:
// it is written once the record is on the disk, in the place of the one before. After a crash it may be behind, and
// never ahead.
type end struct {
	records int
	sum     string // of the last record
}

// endFormat has always the same length, so that one is written over another.
const endFormat = "%012d %064s\n"

// openEnd opens the file beside a journal and brings it up to date.
func openEnd(path string, now end) (*os.File, error) {
	file, err := os.OpenFile(path+EndSuffix, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if err := now.write(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (e end) write(file io.WriterAt) error {
	_, err := file.WriteAt(fmt.Appendf(nil, endFormat, e.records, e.sum), 0)
	return err
}

// readEnd reads what a journal should end with. A journal that has none beside it, as an older one or a copy, has no
// end to miss; nor has one whose file the machine was too suddenly off to fill.
func readEnd(path string) (end, error) {
	text, err := os.ReadFile(path + EndSuffix)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(bytes.Trim(text, "\x00")) == 0 {
		return end{}, nil
	} else if err != nil {
		return end{}, err
	}
	var e end
	_, err = fmt.Sscanf(string(text), endFormat, &e.records, &e.sum)
	sum, notHex := hex.DecodeString(e.sum)
	if err != nil || notHex != nil || len(sum) != sha256.Size || e.records < 0 {
		return end{}, fmt.Errorf("%s: %q is not the number and the checksum of a last record: it was changed", path+EndSuffix,
			clip(text))
	}
	return e, nil
}

// check says what is missing of a journal whose records have these checksums.
func (e end) check(path string, sums []string) error {
	switch {
	case e.records > len(sums):
		return fmt.Errorf("%s:%d: record %d is lost: %s says that %d were written", path, len(sums)+1, len(sums)+1,
			path+EndSuffix, e.records)
	case e.records > 0 && sums[e.records-1] != e.sum:
		return fmt.Errorf("%s:%d: record %d is not the one that %s knows: one of both was changed", path, e.records,
			e.records, path+EndSuffix)
	}
	return nil
}

// clip keeps what an error can show.
func clip(text []byte) []byte { return text[:min(len(text), 80)] }
