package harness

// OfCommand says whether a command was measured, and no revision.
func (r Revision) OfCommand() bool { return len(r.Argv) > 0 }

// mostTitle bounds a command line in a title, in runes.
const mostTitle = 40

// Title is what the arm is called in a title: the short SHA, or what the command is called.
func (r Revision) Title() string {
	if !r.OfCommand() {
		return r.Short()
	}
	if name := []rune(r.Ref); len(name) > mostTitle {
		return string(name[:mostTitle-1]) + "…"
	}
	return r.Ref
}
