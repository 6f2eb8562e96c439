// Package html renders a report as one self-contained page: no scripts, no network access, charts as inline SVG.
//
// Package svg draws the charts in inks whose colours the style sheet defines, so that they follow the reader's light or
// dark scheme. Each chart is drawn for a wide and for a narrow page, because text scaled down to a phone is unreadable.
// A content security policy in the page forbids everything that it does not need.
package html
