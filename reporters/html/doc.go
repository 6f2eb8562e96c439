// Package html renders a report as one self-contained page: no script, no network, charts as inline SVG.
//
// Charts are drawn by package svg in inks that the style sheet gives colours, so that they follow the reader's light or
// dark scheme. Each is drawn twice, for a wide and for a narrow page, because text scaled down to a phone cannot be
// read. A content security policy in the page forbids everything that it does not need.
package html
