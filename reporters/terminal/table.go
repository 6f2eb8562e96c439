package terminal

import (
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/chiasmus/chiasmus/reporters/document"
)

// table draws a table within the width of the terminal. The widest text columns shrink and wrap first, then number
// columns, but a number stays together with its unit. tablewriter would shrink all columns equally and break numbers,
// so cells are wrapped beforehand. If a table still does not fit, its rows are written as paragraphs.
func (p *printer) table(t document.Table) {
	if widths, fits := p.tableWidths(t); fits {
		p.drawTable(t, widths)
	} else {
		p.records(t)
	}
	if len(t.Notes) > 0 {
		p.line("")
	}
	for _, note := range t.Notes {
		p.wrapped("  ", note)
	}
}

// records writes each row as a paragraph of titles and values.
func (p *printer) records(t document.Table) {
	for _, row := range t.Rows {
		var parts []string
		for i, cell := range row[1:] {
			if cell != "" && cell != "-" {
				parts = append(parts, t.Columns[i+1].Title+" "+cell)
			}
		}
		p.wrapped("  ", t.Columns[0].Title+" "+row[0])
		p.wrapped("    ", strings.Join(parts, ", "))
	}
}

func (p *printer) drawTable(t document.Table, widths []int) {
	cells := func(row []string) []string {
		broken := make([]string, len(row))
		for i, cell := range row {
			broken[i] = strings.Join(wrap(cell, widths[i]), "\n")
		}
		return broken
	}
	titles := make([]string, len(t.Columns))
	alignment := make(tw.Alignment, len(t.Columns))
	for i, column := range t.Columns {
		titles[i], alignment[i] = column.Title, tw.AlignLeft
		if column.Number {
			alignment[i] = tw.AlignRight
		}
	}
	var drawn strings.Builder
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Symbols: tw.NewSymbols(tw.StyleLight),
			Borders: tw.BorderNone,
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off,
				ShowHeader: tw.On}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off), // else it converts to upper case and replaces underscores
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: alignment}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: alignment}),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	table.Header(cells(titles))
	for _, row := range t.Rows {
		if err := table.Append(cells(row)); err != nil && p.err == nil {
			p.err = err
		}
	}
	if err := table.Render(); err != nil && p.err == nil {
		p.err = err
	}
	for _, line := range strings.Split(strings.TrimRight(drawn.String(), "\n"), "\n") {
		p.line("%s", strings.TrimRight(line, " "))
	}
}

// padding is tablewriter's padding of a cell; narrowest is the minimum width of a breakable column.
const padding, narrowest = 2, 16

// tableWidths starts with the longest cell of each column and shrinks the widest columns, down to their longest word,
// or further if words may be broken. It reports whether the table fits.
func (p *printer) tableWidths(t document.Table) (widths []int, fits bool) {
	widths = make([]int, len(t.Columns))
	least := make([]int, len(t.Columns))
	total := 0
	for i, column := range t.Columns {
		for _, cell := range append(columnOf(t.Rows, i), column.Title) {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
			for _, word := range words(cell) {
				least[i] = max(least[i], runewidth.StringWidth(word))
			}
		}
		if column.Breakable {
			least[i] = min(least[i], narrowest)
		}
		total += widths[i] + padding
	}
	for ; total > p.full; total-- {
		widest := -1
		for _, number := range []bool{false, true} { // text shrinks before numbers
			for i := range widths {
				if t.Columns[i].Number == number && widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest >= 0 {
				break
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

func columnOf(rows [][]string, i int) []string {
	cells := make([]string, len(rows))
	for j, row := range rows {
		cells[j] = row[i]
	}
	return cells
}
