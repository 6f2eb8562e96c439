package environment

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// GPUWork is how long GPUs worked for a session, in seconds since the session was last observed or first had a request.
// It is computed from the driver's samples per process, which cover about a fifth of a second each and are whole
// percentages. The driver does not report when in that period the process worked, and the samples lag, so only sums
// over many proofs are meaningful.
type GPUWork struct {
	Busy float64 `json:"busy"`
}

// gpuWork accumulates the driver's reports per session. It is nil if the host cannot report them.
type gpuWork struct {
	devices []nvml.Device
	last    []time.Time     // the end of the last sample of each device
	asked   map[int]bool    // by the first process of a session: it has had a request
	taken   map[int]GPUWork // since its last observation
	unseen  bool            // a device does not report it
}

func newGPUWork(w *gpuWatch) *gpuWork {
	return &gpuWork{devices: w.devices, last: make([]time.Time, len(w.devices)), asked: map[int]bool{},
		taken: map[int]GPUWork{}}
}

// begin records a request to a session. GPU work before a session's first request is its setup.
func (g *gpuWork) begin(session int, members map[int]map[int]bool, now time.Time) {
	g.read(members, now)
	if !g.asked[session] {
		g.taken[session] = GPUWork{}
	}
	g.asked[session] = true
}

// end records a session's reply, and returns the GPU work for it since the last call. It returns nil if a device does
// not report it.
func (g *gpuWork) end(session int, members map[int]map[int]bool, now time.Time) *GPUWork {
	g.read(members, now)
	if g.unseen {
		return nil
	}
	taken := g.taken[session]
	g.taken[session] = GPUWork{}
	return &taken
}

// read reads the new samples of all devices. members are the processes of each session.
func (g *gpuWork) read(members map[int]map[int]bool, now time.Time) {
	for i, d := range g.devices {
		since := g.last[i]
		if since.IsZero() { // earlier samples belong to no session
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

// add adds the samples of a session's processes. Samples of one process are consecutive.
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
