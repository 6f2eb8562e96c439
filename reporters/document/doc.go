// Package document defines the content of a report once, for every human-readable format: the order of sentences, the
// figures of each block, and the columns and units of each table.
//
// A [Document] consists of headlines and sections of plain text. It is not escaped, and much of it comes from outside
// (names, causes, log lines), so a renderer must escape every string for its format.
//
// A run that did not complete has no verdict, p-value or interval. [New] omits them, because a run's plan excludes
// unplanned interim analyses.
package document
