package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A Leftover is a running program of a run that no harness is executing: the harness was killed, and the program had
// left its process group, as daemons do. Isolated runs have no leftovers.
type Leftover struct {
	Run     journal.Directory
	process group.Process
}

// Program returns the program's name with its process ID.
func (l Leftover) Program() string { return fmt.Sprintf("%s (%d)", l.process.Program, l.process.PID) }

// End kills the program and waits for its end.
func (l Leftover) End() error { return l.process.Kill() }

// Leftovers finds the programs that these runs left behind. The programs of a run that a harness is executing do not
// count.
func Leftovers(runs []journal.Directory) []Leftover { return leftoversAmong(group.Left(), runs) }

// leftoversAmong searches a list of programs that was made earlier. It does not find programs that started since then,
// and leaves out those that have ended.
func leftoversAmong(listed []group.Process, runs []journal.Directory) []Leftover {
	var found []Leftover
	for _, run := range runs {
		if journal.InUse(run.JournalFile()) {
			continue
		}
		found = append(found, leftoversOf(run, listed)...)
	}
	return slices.DeleteFunc(found, func(l Leftover) bool { return !l.process.Lives() })
}

func leftoversOf(run journal.Directory, left []group.Process) []Leftover {
	var found []Leftover
	for _, p := range left {
		if p.Of(run.ID()) {
			found = append(found, Leftover{run, p})
		}
	}
	return found
}

// endLeftovers kills the programs that this run left behind, and returns their names. This process must hold the run's
// journal.
func (r *run) endLeftovers() ([]string, error) {
	var programs []string
	var err error
	const rounds = 10 // a program that forks while it is killed leaves another
	for range rounds {
		found := leftoversOf(r.dir, group.Left())
		if len(found) == 0 {
			break
		}
		for _, l := range found {
			programs = append(programs, l.process.Program)
			err = errors.Join(err, l.End())
		}
	}
	slices.Sort(programs)
	return slices.Compact(programs), err
}

// warnBuildLeft warns of programs that outlived a build.
func (r *run) warnBuildLeft(arm schedule.Arm, programs []string) error {
	if len(programs) == 0 {
		return nil
	}
	text := fmt.Sprintf("the build of %s left processes behind, which were killed (%s): they would have slowed the "+
		"measurement", arm, strings.Join(programs, ", "))
	r.notify(Notice{Text: "warning: " + text})
	return r.warn(warnLeftBehind, text)
}
