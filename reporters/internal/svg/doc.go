// Package svg draws plots as SVG elements for a page: two axes with ticks, lines, points with intervals, and bars.
//
// A plot does not fix colours. Every element has the class ink-NAME of its Ink and paints with currentColor, so the
// page's style sheet defines colours for light and dark. Margins are computed from Arial's text widths, plus a quarter
// for wider substitute fonts.
//
//	+---------------------------------+
//	| Y.Title                         |   Above the axis and horizontal, because rotated text is hard to read.
//	|   4 |-------------------------- |
//	|   2 |-------o-----|-----o------ |   The rectangle of data: Low to High of both axes.
//	|   0 |-------------------------- |
//	|     +------+------+------+----- |
//	|            1      2      3      |
//	|                         X.Title |
//	+---------------------------------+
package svg
