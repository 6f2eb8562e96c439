// Package words formats durations, lists and missing values for commands and reports.
package words
