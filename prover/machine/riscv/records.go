package riscv

import (
	"sync"

	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// made holds the filler of the host, and the records that it sends to devices.
type made struct {
	filler  *host.Filler
	records func() [][]uint64
}

// hostRecords makes an execution's records when tables are first filled, and makes them again after they were dropped.
type hostRecords struct {
	build func() (*made, error)
	keep  bool // they are not dropped

	mutex sync.Mutex
	made  *made
	err   error // of the last build, or why they are gone
}

func (h *hostRecords) get() (*made, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.made == nil && h.err == nil {
		h.made, h.err = h.build()
	}
	return h.made, h.err
}

// rest drops the records until tables are filled again.
func (h *hostRecords) rest() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.keep {
		h.made = nil
	}
}

// release drops the records for good.
func (h *hostRecords) release() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.made, h.err = nil, errReleased
}

// recordsOf returns the records of an execution that build makes, with a boundary of 2^boundary rows.
func (g *guestRun) recordsOf(boundary int, build func() (*record.Set, error)) *hostRecords {
	guest := g.program.guest
	return &hostRecords{build: func() (*made, error) {
		set, err := build()
		if err != nil {
			return nil, err
		}
		records := sync.OnceValue(func() [][]uint64 { return device.Records(guest, set) })
		filler, err := host.NewFiller(guest, set, g.in.Private, boundary)
		if err != nil {
			return nil, err
		}
		return &made{filler, records}, nil
	}}
}
