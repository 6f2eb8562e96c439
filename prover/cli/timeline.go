package cli

import (
	"slices"
	"sync"
	"time"
)

// processBegan is the time when this process began, after Go's own initialization.
var processBegan = time.Now()

// timeline records the parts of a process until its proof is written, for the metrics file. Parts may overlap.
type timeline struct {
	mutex sync.Mutex
	parts []timedPart
}

// timedPart is a part of a timeline, in seconds since the process began.
type timedPart struct {
	Name    string  `json:"name"`
	Begin   float64 `json:"begin_seconds"`
	Seconds float64 `json:"seconds"`
}

// span begins a part, which the function that it returns ends.
func (t *timeline) span(name string) (end func()) {
	began := time.Now()
	return func() {
		part := timedPart{name, began.Sub(processBegan).Seconds(), time.Since(began).Seconds()}
		t.mutex.Lock()
		defer t.mutex.Unlock()
		t.parts = append(t.parts, part)
	}
}

// list returns the parts that have ended, in order of their start.
func (t *timeline) list() []timedPart {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	parts := slices.Clone(t.parts)
	slices.SortStableFunc(parts, func(a, b timedPart) int {
		if a.Begin < b.Begin {
			return -1
		}
		return 1
	})
	return parts
}
