// Package document says what a report of a run contains, once, for every rendering that people read: which sentence
// comes first, which figures stand in which block, what each table shows and in which unit.
//
// A [Document] is headlines and sections of plain text. Nothing in it is escaped and much of it comes from outside
// (names, causes, log lines), so a renderer escapes every string for its own medium.
//
// In a run that did not complete there is no verdict, no p-value and no interval: [New] leaves them out, because
// the plan of a run excludes interim analyses that it does not name.
package document
