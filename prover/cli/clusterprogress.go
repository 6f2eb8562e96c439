package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/prover/cluster"
)

// clusterProgress shows a job's progress: a line for each event, and the seats' activities. A terminal shows the
// activities in a last line that is rewritten; elsewhere they are printed every quietFor.
type clusterProgress struct {
	out      io.Writer
	terminal bool
	now      func() time.Time
	last     time.Time
}

// quietFor is the least time between two lines of a log about the seats' activities.
const quietFor = 10 * time.Second

func newClusterProgress(out io.Writer) *clusterProgress {
	file, ok := out.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd()))
	return &clusterProgress{out: out, terminal: terminal, now: time.Now, last: time.Now()}
}

// eraseLine clears a terminal's current line.
const eraseLine = "\r\x1b[K"

func (c *clusterProgress) event(e cluster.Event) {
	if c.terminal {
		fmt.Fprint(c.out, eraseLine)
	}
	fmt.Fprintln(c.out, eventText(e))
}

func (c *clusterProgress) watch(p cluster.Progress) {
	switch {
	case c.terminal && p.Proven == p.Shards:
		fmt.Fprint(c.out, eraseLine)
	case c.terminal:
		fmt.Fprint(c.out, eraseLine+progressText(p))
	case c.now().Sub(c.last) >= quietFor:
		c.last = c.now()
		fmt.Fprintln(c.out, progressText(p))
	}
}

// progressText returns one line: the progress, and the seats' activities by host.
func progressText(p cluster.Progress) string {
	text := fmt.Sprintf("%d %%: %d of %d shards committed, %d proven", 50*(p.Committed+p.Proven)/max(p.Shards, 1),
		p.Committed, p.Shards, p.Proven)
	last := ""
	for _, seat := range p.Seats {
		host, device := seat.Seat, ""
		if i := strings.LastIndexByte(host, '/'); i >= 0 {
			host, device = host[:i], host[i+1:]
		}
		if host != last {
			text += "; " + host + ":"
			last = host
		}
		text += fmt.Sprintf(" %s shard %d %s,", device, seat.Shard, phaseText(&seat.Presence))
	}
	return strings.TrimSuffix(strings.ReplaceAll(text, ",;", ";"), ",")
}

// phaseText describes a seat's current phase and stage.
func phaseText(p *cluster.Presence) string {
	if p.Stage == "" {
		return fmt.Sprintf("phase %d", p.Phase())
	}
	return fmt.Sprintf("phase %d %s", p.Phase(), p.Stage)
}

// eventText describes an event in one line.
func eventText(e cluster.Event) string {
	text := e.What
	if e.Shard >= 0 {
		text = fmt.Sprintf("shard %d: %s", e.Shard, text)
	}
	if e.Worker != "" {
		text += " by " + e.Worker
	}
	if e.Seconds > 0 {
		text += fmt.Sprintf(", %.1f s", e.Seconds)
	}
	return text
}
