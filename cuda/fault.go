package cuda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Fault is one injected failure of a driver call.
type Fault struct {
	Stage      string        // only in this stage; empty for any
	Call       string        // a group (alloc, launch, copy, synchronize, load, open), a driver symbol, or a kernel's name
	Occurrence int           // which matching call fails, counted from 1
	Result     driver.Result // what the call returns
}

// FaultPlan injects failures by name and occurrence, so that a test can make every kind of call in every stage fail.
// Failing calls do not reach the driver. It is safe for concurrent use.
type FaultPlan struct {
	mu     sync.Mutex
	faults []plannedFault
	fired  int
}

type plannedFault struct {
	Fault
	seen int
}

// NewFaultPlan creates a plan. An unknown call group is taken for a kernel's name and never fires: compare
// [FaultPlan.Fired] with the number of planned faults.
func NewFaultPlan(faults ...Fault) *FaultPlan {
	plan := &FaultPlan{}
	plan.Replace(faults...)
	return plan
}

// Replace replaces the planned faults; occurrences count from now on. It affects drivers that were opened with the
// plan.
func (p *FaultPlan) Replace(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	for _, fault := range faults {
		p.faults = append(p.faults, plannedFault{Fault: fault})
	}
}

// ParseFault parses [STAGE/]CALL[#OCCURRENCE]=KIND, such as commit_main/launch#3=sticky. KIND is recoverable (out of
// memory), sticky (an illegal address), or a CUresult number.
func ParseFault(text string) (Fault, error) {
	wrong := func(what string) (Fault, error) {
		return Fault{},
			fmt.Errorf("fault %q: %s; the form is [STAGE/]CALL[#OCCURRENCE]=KIND, such as commit_main/launch#3=sticky", text,
				what)
	}
	where, kind, ok := strings.Cut(text, "=")
	if !ok {
		return wrong("no kind")
	}
	fault := Fault{Occurrence: 1, Call: where}
	if stage, call, ok := strings.Cut(where, "/"); ok {
		fault.Stage, fault.Call = stage, call
	}
	if call, count, ok := strings.Cut(fault.Call, "#"); ok {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return wrong("the occurrence is not a number from 1")
		}
		fault.Call, fault.Occurrence = call, n
	}
	if fault.Call == "" {
		return wrong("no call")
	}
	switch kind {
	case "recoverable":
		fault.Result = driver.OutOfMemory
	case "sticky":
		fault.Result = driver.IllegalAddress
	default:
		number, err := strconv.Atoi(kind)
		if err != nil || number <= 0 {
			return wrong("the kind is neither recoverable nor sticky nor a CUresult")
		}
		fault.Result = driver.Result(number)
	}
	return fault, nil
}

// groups maps group names to driver functions.
var groups = map[string][]driver.Function{
	"alloc":       {driver.MemAlloc, driver.MemHostAlloc},
	"launch":      {driver.LaunchKernel},
	"copy":        {driver.MemcpyHtoDAsync, driver.MemcpyDtoHAsync, driver.MemcpyDtoDAsync, driver.MemsetD8Async},
	"synchronize": {driver.StreamSynchronize, driver.CtxSynchronize, driver.EventSynchronize},
	"load":        {driver.ModuleLoadData, driver.ModuleGetFunction},
	"open":        {driver.Init, driver.CtxCreate, driver.StreamCreateWithPriority, driver.EventCreate},
}

// next counts the call and reports whether it fails.
func (p *FaultPlan) next(stage string, f driver.Function, detail string) (driver.Result, bool) {
	if p == nil {
		return driver.Success, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.faults {
		fault := &p.faults[i]
		if !fault.matches(stage, f, detail) {
			continue
		}
		fault.seen++
		if fault.seen == fault.Occurrence {
			p.fired++
			return fault.Result, true
		}
	}
	return driver.Success, false
}

func (f *plannedFault) matches(stage string, function driver.Function, detail string) bool {
	if f.Stage != "" && f.Stage != stage {
		return false
	}
	if slices.Contains(groups[f.Call], function) || f.Call == function.String() {
		return true
	}
	return function == driver.LaunchKernel && f.Call == detail
}

// Fired returns the number of faults injected so far.
func (p *FaultPlan) Fired() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fired
}
