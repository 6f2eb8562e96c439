package document

// Document is a report in reading order. All strings have been cleaned by Clean.
type Document struct {
	Title string
	// Trust is a notice to show first if the verdict relies on the good faith of head; otherwise empty.
	Trust     string
	Headlines []Headline // one per workload, or one for the run if no workload has one
	Answer    Answer     // what to read first; it replaces the headlines if there are several
	Sides     []Side     // head, then base
	Sections  []Section
	Page      string // path of report.html, or empty
}

// Side is one revision of a run: its name in a title, and its commit.
type Side struct{ Name, Short, SHA, Subject string }

// Headline is one workload in one sentence.
type Headline struct {
	Workload string // empty for the run as a whole
	Status   Status
	Sentence string
	Caveats  []string // qualifications of the sentence
	Findings []string // what changed besides the primary metric
}

// Status is the verdict of a workload, or its substitute.
type Status struct {
	Word  string // improvement, regression, ..., partial, failed
	Icon  string // for media that have colour: an emoji
	Glyph string // for the others: one character
	Tone  Tone
}

// Tone is the meaning of a status for somebody who has to act.
type Tone string

// The tones.
const (
	Good    Tone = "good"
	Bad     Tone = "bad"
	Caution Tone = "caution"
	Neutral Tone = "neutral"
)

// Section is a titled part. ID is its kind, the same in every document. Workload is empty in a section about the run.
type Section struct {
	ID       SectionID
	Workload string
	Title    string
	Blocks   []Block
	// Folded sections have details. Formats that support folding fold them.
	Folded bool
}

// SectionID names the kind of a section.
type SectionID string

// The sections, in order.
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
	Analyses    SectionID = "looks"
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
	// Link is a path relative to the run's folder, or empty.
	Link string
}

// Table has a header, and rows with the same number of cells.
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
	Whole  bool // never wrapped, such as dates
	// Breakable cells, such as names, may be broken within a word if the table is too wide.
	Breakable bool
}

// List is a list of points.
type List []string

// Log is text to be shown verbatim, line by line.
type Log string

func (Paragraph) block() {}
func (Facts) block()     {}
func (Table) block()     {}
func (List) block()      {}
func (Log) block()       {}
