package environment

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// GPUWork is for how long GPUs worked for a session, in seconds since the session was last observed, or first asked. It
// is made of the driver's samples of each process, which last a fifth of a second or so and are whole percentages. The
// driver does not say when in that time the process worked, and its samples lag, so that only sums over many proofs
// mean anything.
type GPUWork struct {
	Busy float64 `json:"busy"`
}

// gpuWork adds up what the driver says of the sessions. A nil one is of a host where nobody can tell.
type gpuWork struct {
	devices []nvml.Device
	last    []time.Time     // the end of the last sample of each device
	asked   map[int]bool    // by the first process of a session: it had a request
	taken   map[int]GPUWork // since its last observation
	unseen  bool            // a device does not tell
}

func newGPUWork(w *gpuWatch) *gpuWork {
	return &gpuWork{devices: w.devices, last: make([]time.Time, len(w.devices)), asked: map[int]bool{},
		taken: map[int]GPUWork{}}
}

// begin says that a session gets a request. Of a session that had none before, what GPUs did until now is its set-up.
func (g *gpuWork) begin(session int, members map[int]map[int]bool, now time.Time) {
	g.read(members, now)
	if !g.asked[session] {
		g.taken[session] = GPUWork{}
	}
	g.asked[session] = true
}

// end says that a session has answered, and returns what GPUs did for it since the last time. It is nil where a device
// does not tell.
func (g *gpuWork) end(session int, members map[int]map[int]bool, now time.Time) *GPUWork {
	g.read(members, now)
	if g.unseen {
		return nil
	}
	taken := g.taken[session]
	g.taken[session] = GPUWork{}
	return &taken
}

// read takes the samples of all devices since the last ones. members are the processes of each session.
func (g *gpuWork) read(members map[int]map[int]bool, now time.Time) {
	for i, d := range g.devices {
		since := g.last[i]
		if since.IsZero() { // what was before belongs to nobody
			g.last[i] = now
			continue
		}
		samples, err := d.Utilizations(since)
		if err != nil {
			g.unseen = true
			return
		}
		for _, s := range samples {
			if s.At.After(g.last[i]) {
				g.last[i] = s.At
			}
		}
		for session, pids := range members {
			g.add(session, pids, samples, since)
		}
	}
}

// add adds the samples of a session's processes. Several of one process follow one another.
func (g *gpuWork) add(session int, pids map[int]bool, samples []nvml.Utilization, since time.Time) {
	from := map[int]time.Time{}
	for _, s := range samples {
		if !pids[s.PID] {
			continue
		}
		begin, again := from[s.PID]
		if !again {
			begin = since
		}
		if !s.At.After(begin) {
			continue
		}
		from[s.PID] = s.At
		taken := g.taken[session]
		taken.Busy += s.Part * s.At.Sub(begin).Seconds()
		g.taken[session] = taken
	}
}
