package document

// Document is a report in the order in which it is read. Its strings have gone through Clean.
type Document struct {
	Title string
	// Trust is the first line, of a run whose verdict rests on the good faith of head; empty else.
	Trust     string
	Headlines []Headline // one for each workload; one of the run where no workload has anything to say
	Answer    Answer     // what to read first; it replaces the headlines where there are several
	Sides     []Side     // head, then base
	Sections  []Section
	Page      string // where report.html lies; empty where there is none
}

// Side is one revision of a run: what it is called in a title, and the commit that it is.
type Side struct{ Name, Short, SHA, Subject string }

// Headline is one workload in one sentence.
type Headline struct {
	Workload string // empty for the run as a whole
	Status   Status
	Sentence string
	Caveats  []string // what the sentence may not be read without
	Findings []string // what moved besides the metric that decides
}

// Status is the verdict of a workload, or what took its place.
type Status struct {
	Word  string // improvement, regression, ..., partial, failed
	Icon  string // for media that have colour: an emoji
	Glyph string // for the others: one character
	Tone  Tone
}

// Tone is what a status means to somebody who has to act.
type Tone string

// The tones.
const (
	Good    Tone = "good"
	Bad     Tone = "bad"
	Caution Tone = "caution"
	Neutral Tone = "neutral"
)

// Section is a titled part. ID names its kind, the same in every document; Workload is empty where it is about the run.
type Section struct {
	ID       SectionID
	Workload string
	Title    string
	Blocks   []Block
	// Folded sections are for those who want to know more: a medium that can fold does.
	Folded bool
}

// SectionID names the kind of a section.
type SectionID string

// The sections, in the order they come in.
const (
	Failure     SectionID = "failure"
	Changed     SectionID = "changed"
	Warnings    SectionID = "warnings"
	Exact       SectionID = "exact"
	Busy        SectionID = "busy"
	Code        SectionID = "code"
	Hosts       SectionID = "hosts"
	Throughput  SectionID = "throughput"
	Figures     SectionID = "figures"
	Looks       SectionID = "looks"
	Stages      SectionID = "stages"
	Metrics     SectionID = "metrics"
	Dropped     SectionID = "dropped"
	Proofs      SectionID = "proofs"
	Revisions   SectionID = "revisions"
	Environment SectionID = "environment"
	Plan        SectionID = "plan"
	Files       SectionID = "files"
	Events      SectionID = "events"
)

// Block is a part of a section: Paragraph, Facts, Table, List or Log.
type Block interface{ block() }

// Paragraph is running text.
type Paragraph string

// Facts are labelled values.
type Facts struct {
	Title string
	Rows  []Fact
}

// Fact is one labelled value. Code marks a value to be set as code, such as a SHA or a path.
type Fact struct {
	Label, Value string
	Code         bool
	// Link leads from a page in the folder of the run to a file below it; empty for none.
	Link string
}

// Table has a header and rows of as many cells.
type Table struct {
	Columns []Column
	Rows    [][]string
	Notes   []string
}

// Column is one column of a table.
type Column struct {
	Title  string
	Number bool // aligned right
	Code   bool
	Whole  bool // never broken into lines, such as dates
	// Breakable cells, such as names, may be broken within a word where a table is too wide.
	Breakable bool
}

// List is a list of points.
type List []string

// Log is text to be shown as it is, line by line.
type Log string

func (Paragraph) block() {}
func (Facts) block()     {}
func (Table) block()     {}
func (List) block()      {}
func (Log) block()       {}
