// Package joblog makes output safe to print in the log of a GitHub job.
//
// A runner reads what its steps print, line by line, and obeys lines that begin with "::", after white space, and what
// follows "##[" anywhere in a line: they set outputs, mask or unmask secrets, and put errors under files. What the
// harness prints repeats words of children, commits and results, and those are a stranger's. A Writer stands before
// both outputs of the harness in every job, so that no caller has to think of it.
//
// Nothing is hidden: a backslash is put where a command would begin, and characters that cannot be seen, which a runner
// may skip over, become U+FFFD.
package joblog

import (
	"io"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Writer passes on what is written to it, with no workflow command in it. It may be used by several goroutines.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
	// rest holds the first bytes of a character that was cut between two writes.
	rest []byte
	// blank says that the line holds white space only, so far; colon that one colon came after it.
	blank, colon bool
	// hashes counts the number signs just before.
	hashes int
	// carriage says that the last character was a carriage return, which ended its line.
	carriage bool
}

// New returns a writer that passes on to out.
func New(out io.Writer) *Writer { return &Writer{out: out, blank: true} }

// Write passes on data. The count is of data, whatever was added.
func (w *Writer) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, data...)
	var cleaned []byte
	for len(text) > 0 && (utf8.FullRune(text) || len(text) >= utf8.UTFMax) {
		r, size := utf8.DecodeRune(text) // U+FFFD for bytes that are no UTF-8
		cleaned = w.put(cleaned, r)
		text = text[size:]
	}
	w.rest = append([]byte(nil), text...)
	if _, err := w.out.Write(cleaned); err != nil {
		return 0, err
	}
	return len(data), nil
}

// put appends a character, and before it what keeps it from being part of a command.
func (w *Writer) put(to []byte, r rune) []byte {
	afterCarriage := w.carriage
	w.carriage = r == '\r'
	switch {
	case r == '\n' && afterCarriage:
		return to // its line ended already
	case r == '\n' || r == '\r':
		w.blank, w.colon, w.hashes = true, false, 0
		return append(to, '\n')
	case r == '\t':
	case unseen(r):
		r = utf8.RuneError
	}
	switch {
	case r == ':' && w.colon, r == '[' && w.hashes >= 2:
		to = append(to, '\\')
	}
	w.colon = r == ':' && w.blank
	w.blank = w.blank && unicode.IsSpace(r)
	if r == '#' {
		w.hashes++
	} else {
		w.hashes = 0
	}
	return utf8.AppendRune(to, r)
}

// unseen says whether a character shows nothing: what skips such characters sees a command where a reader sees none.
func unseen(r rune) bool {
	return unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point)
}
