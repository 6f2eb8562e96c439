package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// A line ends with the checksum of its record: the last member of the JSON object, always of the same length.
const sumBegin, sumEnd = `,"sum":"`, `"}`

// chain returns the checksum of a record: over the checksum of the previous record (empty for the first) and the
// record's own bytes. A changed, lost or repeated record is thus found at its line.
func chain(before string, body []byte) string {
	h := sha256.New()
	h.Write([]byte(before + "\n"))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// seal adds the checksum to a record and returns both.
func seal(before string, body []byte) (line []byte, sum string) {
	sum = chain(before, body)
	line = bytes.TrimSuffix(body, []byte("}"))
	return append(line, sumBegin+sum+sumEnd...), sum
}

// unseal decodes the line that should have this number, and also returns its checksum. The checksum covers the bytes,
// so only lines written by this package are accepted.
func unseal(before string, line []byte, number int) (Record, string, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return r, "", fmt.Errorf("does not parse: %w", err)
	}
	if r.Sequence != number {
		return r, "", fmt.Errorf("found record %d, want record %d: the journal was changed", r.Sequence, number)
	}
	at := len(line) - len(sumBegin) - hex.EncodedLen(sha256.Size) - len(sumEnd)
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(sumBegin)) {
		return r, "", errors.New("the record has no checksum: the journal was changed, or written by an older version " +
			"without checksums")
	}
	body := append(bytes.Clone(line[:at]), '}')
	sum := chain(before, body)
	if string(line[at:]) != sumBegin+sum+sumEnd {
		return r, "", fmt.Errorf("the checksum of record %d does not match: the journal was changed, here or in its order",
			number)
	}
	return r, sum, nil
}
