// Package joblog makes output safe to print in the log of a GitHub job.
//
// A runner interprets the output of its steps: lines that start with "::" after white space, and anything after "##[",
// are workflow commands, which set outputs, mask or unmask secrets, and annotate files. The harness prints text of
// children, commits and results, which is untrusted. In every job a Writer filters both outputs of the harness, so that
// callers do not have to.
//
// Nothing is removed: a backslash is inserted where a command would start, and invisible characters, which a runner may
// skip, become U+FFFD.
package joblog

import (
	"io"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Writer passes on its input without workflow commands. It is safe for concurrent use.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
	// rest holds the first bytes of a character that was split between two writes.
	rest []byte
	// blank is set while the line has only white space; colon is set after one colon that follows it.
	blank, colon bool
	// hashes counts the immediately preceding number signs.
	hashes int
	// carriage is set if the last character was a carriage return, which ended its line.
	carriage bool
}

// New returns a Writer to out.
func New(out io.Writer) *Writer { return &Writer{out: out, blank: true} }

// Write filters data. The count does not include insertions.
func (w *Writer) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, data...)
	var cleaned []byte
	for len(text) > 0 && (utf8.FullRune(text) || len(text) >= utf8.UTFMax) {
		r, size := utf8.DecodeRune(text) // U+FFFD for invalid UTF-8
		cleaned = w.put(cleaned, r)
		text = text[size:]
	}
	w.rest = append([]byte(nil), text...)
	if _, err := w.out.Write(cleaned); err != nil {
		return 0, err
	}
	return len(data), nil
}

// put appends a character, preceded by a backslash if it would complete a command.
func (w *Writer) put(to []byte, r rune) []byte {
	afterCarriage := w.carriage
	w.carriage = r == '\r'
	switch {
	case r == '\n' && afterCarriage:
		return to // its line has already ended
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

// unseen reports whether a character is invisible: a runner that skips such characters may see a command where a reader
// sees none.
func unseen(r rune) bool {
	return unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point)
}
