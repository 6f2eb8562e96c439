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

// EndSuffix is the suffix of the file next to a journal that records the journal's end.
const EndSuffix = ".end"

// An end describes the last record of a journal. The records alone cannot show that later ones are missing, so the end
// is kept in a second file. It is overwritten in place after the record is on disk: after a crash it may be behind the
// journal, never ahead.
type end struct {
	records int
	sum     string // of the last record
}

// endFormat has a fixed length, so that an end can be overwritten in place.
const endFormat = "%012d %064s\n"

// openEnd opens the end file of a journal and updates it.
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

// readEnd reads the expected end of a journal. It returns the zero end for a journal without that file (an old one, or
// a copy), and if a power loss left the file empty or full of zeros.
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

// check returns an error if records are missing or differ, given the records' checksums.
func (e end) check(path string, sums []string) error {
	switch {
	case e.records > len(sums):
		return fmt.Errorf("%s:%d: record %d is lost: %s says that %d were written", path, len(sums)+1, len(sums)+1,
			path+EndSuffix, e.records)
	case e.records > 0 && sums[e.records-1] != e.sum:
		return fmt.Errorf("%s:%d: record %d differs from the record that %s describes: one of the two was changed", path,
			e.records, e.records, path+EndSuffix)
	}
	return nil
}

// clip shortens text for an error message.
func clip(text []byte) []byte { return text[:min(len(text), 80)] }
