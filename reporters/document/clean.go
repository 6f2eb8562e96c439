package document

import (
	"strings"
	"unicode"
)

// The maximum length of an external string, and of a log.
const (
	longestText = 1000
	longestLog  = 8000
)

// Clean turns an external string into one line that cannot affect how its surroundings are shown. Control characters
// (which start escape sequences), bidirectional control marks and invalid UTF-8 become U+FFFD. Overlong text is
// truncated, with a notice.
func Clean(text string) string {
	text = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(text, "\ufffd"))), " ")
	return cut(text, longestText)
}

// CleanLog is Clean for several lines. It keeps the end of an overlong log, which usually has the error.
func CleanLog(text string) string {
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(text, "\ufffd"), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.Map(visible, strings.TrimSuffix(line, "\r")), " ")
	}
	text = strings.Join(lines, "\n")
	if runes := []rune(text); len(runes) > longestLog {
		return "... (cut)\n" + string(runes[len(runes)-longestLog:])
	}
	return text
}

func cut(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "... (cut)"
	}
	return text
}

// visible maps white space to a space and invisible characters to U+FFFD.
func visible(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r),
		r == '\ufeff':
		return '\ufffd'
	}
	return r
}

// clean cleans every string of a document.
func (d *Document) clean() {
	d.Title, d.Trust, d.Page = Clean(d.Title), Clean(d.Trust), Clean(d.Page)
	for i := range d.Headlines {
		d.Headlines[i].clean()
	}
	d.Answer.Lead.clean()
	d.Answer.Table = cleanBlock(d.Answer.Table).(Table)
	for i := range d.Answer.Bars {
		d.Answer.Bars[i].Name = Clean(d.Answer.Bars[i].Name)
	}
	for i := range d.Sides {
		s := &d.Sides[i]
		s.Short, s.SHA, s.Subject = Clean(s.Short), Clean(s.SHA), Clean(s.Subject)
	}
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Workload, s.Title = Clean(s.Workload), Clean(s.Title)
		for j, block := range s.Blocks {
			s.Blocks[j] = cleanBlock(block)
		}
	}
}

func (h *Headline) clean() {
	h.Workload, h.Sentence = Clean(h.Workload), Clean(h.Sentence)
	cleanAll(h.Caveats)
	cleanAll(h.Findings)
}

func cleanBlock(block Block) Block {
	switch b := block.(type) {
	case Paragraph:
		return Paragraph(Clean(string(b)))
	case Log:
		return Log(CleanLog(string(b)))
	case List:
		cleanAll(b)
	case Facts:
		for i := range b.Rows {
			b.Rows[i].Label, b.Rows[i].Value = Clean(b.Rows[i].Label), Clean(b.Rows[i].Value)
		}
	case Table:
		for _, row := range b.Rows {
			cleanAll(row)
		}
		cleanAll(b.Notes)
	}
	return block
}

func cleanAll(list []string) {
	for i := range list {
		list[i] = Clean(list[i])
	}
}
