// Package columns fits the help of a command into a terminal of 80 columns.
package columns

import (
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

// Width is the width of every help text.
const Width = 80

// Fit wraps the help texts of a command and all its subcommands to Width: it refills paragraphs and wraps the
// descriptions of flags. Indented lines and lists stay unchanged, so they must fit already.
func Fit(root *cobra.Command) {
	addSynopsis()
	template := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80")
	template = strings.ReplaceAll(template, "{{.UseLine}}", "{{synopsis .UseLine}}")
	root.SetUsageTemplate(strings.ReplaceAll(template, "for more information about a command.", "for more."))
	root.InitDefaultHelpCmd() // which Execute would add
	root.InitDefaultCompletionCmd()
	each(root, func(c *cobra.Command) { c.Long = Fill(c.Long) })
}

// addSynopsis gives templates a function that wraps the line of a command's arguments. Cobra keeps template functions
// in a package variable.
var addSynopsis = sync.OnceFunc(func() {
	cobra.AddTemplateFunc("synopsis", func(line string) string {
		return strings.Join(fill(line, Width-8), "\n      ")
	})
})

func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, child := range c.Commands() {
		each(child, do)
	}
}

// Fill wraps the paragraphs of a text to Width cells. An empty or indented line ends a paragraph and stays unchanged.
func Fill(text string) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, fill(strings.Join(paragraph, " "), Width)...)
			paragraph = nil
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && !strings.HasPrefix(line, " ") {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// fill wraps one paragraph between words.
func fill(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case runewidth.StringWidth(line)+1+runewidth.StringWidth(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// Hang wraps the lines of a text to Width cells. Lines that fit stay unchanged. Continuation lines have two spaces more
// than their line. A word wider than a line, such as a path, a URL or a pair of commits, is not broken.
func Hang(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if runewidth.StringWidth(line) <= Width {
			out = append(out, line)
			continue
		}
		bare := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(bare)]
		first, rest := take(bare, Width-len(indent))
		out = append(out, indent+first)
		if rest != "" {
			for _, more := range fill(rest, Width-len(indent)-2) {
				out = append(out, indent+"  "+more)
			}
		}
	}
	return strings.Join(out, "\n")
}

// take cuts the first line of a width off a text, at a space. It keeps the spaces within that line.
func take(text string, width int) (first, rest string) {
	end := 0
	for i, char := range text + " " {
		if char != ' ' {
			continue
		}
		if end > 0 && runewidth.StringWidth(text[:i]) > width {
			break
		}
		if i > 0 && text[i-1] != ' ' {
			end = i
		}
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// TooWide lists the help lines of a command and all its subcommands that exceed Width, each preceded by the name of its
// command.
func TooWide(root *cobra.Command) []string {
	var list []string
	each(root, func(c *cobra.Command) {
		for _, line := range strings.Split(c.Long+"\n\n"+c.UsageString(), "\n") {
			if runewidth.StringWidth(line) > Width {
				list = append(list, c.CommandPath()+": "+line)
			}
		}
	})
	return list
}
