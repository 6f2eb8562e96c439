// Package columns makes the help of a command fit a terminal of 80 columns.
package columns

import (
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

// Width is the width that every help text keeps to.
const Width = 80

// Fit makes the help texts of a command and of all below it fit Width: paragraphs are filled anew and descriptions of
// flags are wrapped. Indented lines and lists stay as they are written, and so have to fit.
func Fit(root *cobra.Command) {
	addSynopsis()
	template := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80")
	template = strings.ReplaceAll(template, "{{.UseLine}}", "{{synopsis .UseLine}}")
	root.SetUsageTemplate(strings.ReplaceAll(template, "for more information about a command.", "for more."))
	root.InitDefaultHelpCmd() // which Execute would add
	root.InitDefaultCompletionCmd()
	each(root, func(c *cobra.Command) { c.Long = Fill(c.Long) })
}

// addSynopsis gives templates a function that breaks the line of a command's arguments. Cobra keeps functions in a
// variable of its package.
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

// Fill breaks the paragraphs of a text into lines of at most Width cells. An empty or an indented line ends a paragraph
// and stays as it is.
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

// fill breaks one paragraph between words.
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

// TooWide lists the lines of the help of a command and of all below it that are wider than Width. The name of the
// command stands before each.
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
