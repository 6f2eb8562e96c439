// Package words formats what commands and reports say to people: durations, lists, missing values.
package words
