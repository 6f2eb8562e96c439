package environment

import (
	"math"
	"slices"
	"strings"
)

// hardware are the properties without which a resumed run would mix two hosts. A kernel that was updated in between, or
// a changed governor, shows among the differences of the report.
var hardware = []string{"machine", "architecture", "cpu.model", "cpu.logical", "memory.total_bytes", "gpus", "uuid"}

// Moved lists what makes two snapshots those of different hosts.
func Moved(before, now *Snapshot) string {
	var moved []string
	for _, d := range Diff(before, now) {
		key := d.Key
		if strings.HasPrefix(key, "gpus[") {
			key = key[strings.LastIndexByte(key, '.')+1:]
		}
		if slices.Contains(hardware, key) && !(key == "memory.total_bytes" && sameMemory(before, now)) {
			moved = append(moved, d.String())
		}
	}
	return strings.Join(moved, "; ")
}

// sameMemory says whether two hosts may have the same memory: what a kernel keeps for itself differs a little from one
// version, or start, to the next.
func sameMemory(a, b *Snapshot) bool {
	const tolerance = 0.02
	return math.Abs(float64(a.Memory.Total-b.Memory.Total)) <= tolerance*float64(a.Memory.Total)
}
