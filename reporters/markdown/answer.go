package markdown

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/reporters/document"
)

// answerTable renders the table of the answer within half of limit; 0 means no limit. If the table is too long, it
// omits workloads without a change first, and notes the number of omitted rows.
func answerTable(t document.Table, limit int) string {
	if text := table(t); limit == 0 || len(text) <= limit/2 {
		return text
	}
	room := limit/2 - len(table(document.Table{Columns: t.Columns, Notes: t.Notes})) - 100
	head := len(table(document.Table{Columns: t.Columns}))
	var kept []int
	for _, changed := range []bool{true, false} {
		for i, row := range t.Rows {
			size := len(table(document.Table{Columns: t.Columns, Rows: [][]string{row}})) - head
			if settled(row) != changed && size <= room {
				kept, room = append(kept, i), room-size
			}
		}
	}
	slices.Sort(kept)
	short := t
	short.Rows = nil
	for _, i := range kept {
		short.Rows = append(short.Rows, t.Rows[i])
	}
	short.Notes = append([]string{fmt.Sprintf("%d more rows are in the full report.", len(t.Rows)-len(kept))}, t.Notes...)
	return table(short)
}

// settled reports whether a row's verdict is equivalent or inconclusive.
func settled(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool {
		return strings.HasPrefix(cell, "≈ ") || strings.HasPrefix(cell, "? ")
	})
}

// The size of a drawing, in cells and lines.
const (
	axisWidth   = 49
	longestName = 24
	mostBars    = 30
)

// plot draws the intervals of an answer as text, one line each, on a common axis that includes 0.
func plot(a document.Answer) string {
	bars := a.Bars
	if len(bars) > mostBars {
		bars = largest(bars)
	}
	low, high, names := 0.0, 0.0, 0
	for _, bar := range bars {
		low, high = min(low, bar.Low), max(high, bar.High)
		names = max(names, runewidth.StringWidth(shorten(bar.Name)))
	}
	if high-low == 0 {
		low, high = -1, 1
	}
	low, high = low-(high-low)/20, high+(high-low)/20
	cell := func(x float64) int { return int(math.Round((x - low) / (high - low) * (axisWidth - 1))) }
	zero := cell(0)
	var lines []string
	for _, bar := range bars {
		line := []rune(strings.Repeat(" ", axisWidth))
		line[zero] = '│'
		for i := cell(bar.Low); i <= cell(bar.High); i++ {
			line[i] = '─'
			if i == zero {
				line[i] = '┼'
			}
		}
		line[cell(bar.Low)], line[cell(bar.High)] = '├', '┤'
		line[cell(bar.Change)] = '●'
		lines = append(lines, drawn(shorten(bar.Name), names, string(line)))
	}
	lines = append(lines, axis(low, high, zero, names, cell)...)
	lines = append(lines, drawn("", names, directions(zero, a.Lower, a.Higher)))
	if len(bars) < len(a.Bars) {
		lines = append(lines, fmt.Sprintf("the %d largest changes of %d", len(bars), len(a.Bars)))
	}
	return strings.Join(lines, "\n")
}

func drawn(name string, width int, line string) string {
	return strings.TrimRight(runewidth.FillRight(name, width)+"  "+line, " ")
}

func shorten(name string) string { return runewidth.Truncate(name, longestName, "…") }

// largest returns the bars with the largest changes, in their original order.
func largest(bars []document.Bar) []document.Bar {
	order := make([]int, len(bars))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(math.Abs(bars[j].Change), math.Abs(bars[i].Change))
	})
	order = order[:mostBars]
	slices.Sort(order)
	var list []document.Bar
	for _, i := range order {
		list = append(list, bars[i])
	}
	return list
}

// axis draws the axis and its percentages.
func axis(low, high float64, zero, names int, cell func(float64) int) []string {
	line := []rune(strings.Repeat("─", axisWidth))
	labels := []rune(strings.Repeat(" ", axisWidth+8))
	step := tick(high - low)
	for k := math.Ceil(low / step); k*step <= high; k++ {
		at, text := cell(k*step), label(k, step)
		line[at] = '┬'
		start := max(0, at-len(text)/2)
		for i, r := range []rune(text) {
			if start+i < len(labels) {
				labels[start+i] = r
			}
		}
	}
	line[zero] = '┼'
	return []string{drawn("", names, string(line)), drawn("", names, string(labels))}
}

// tick returns a step of 1, 2 or 5 times a power of ten that divides a range into three to six parts.
func tick(width float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(width/3)))
	for _, factor := range []float64{5, 2} {
		if width/(factor*power) >= 3 {
			return factor * power
		}
	}
	return power
}

func label(k, step float64) string {
	if k == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+.*f %%", max(0, -int(math.Floor(math.Log10(step)))), k*step)
}

// directions labels both sides of 0 if there is room.
func directions(zero int, lower, higher string) string {
	left, right := "◂ "+lower, higher+" ▸"
	text := strings.Repeat(" ", zero)
	if width := runewidth.StringWidth(left); zero > width+1 {
		text = strings.Repeat(" ", zero-1-width) + left + " "
	}
	if zero+2+runewidth.StringWidth(right) <= axisWidth {
		text += "  " + right
	}
	return text
}
