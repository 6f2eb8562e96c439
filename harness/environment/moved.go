package environment

import (
	"math"
	"slices"
	"strings"
)

// hardware lists the properties that a resumed run must share with its first part; otherwise it would mix two hosts.
// Other changes, such as a new kernel or governor, are reported as differences.
var hardware = []string{"machine", "architecture", "cpu.model", "cpu.logical", "memory.total_bytes", "gpus", "uuid"}

// Moved lists the hardware differences between two snapshots. It is empty if both may be of one host.
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

// sameMemory reports whether two hosts may have the same memory: the kernel's own share varies slightly between
// versions and boots.
func sameMemory(a, b *Snapshot) bool {
	const tolerance = 0.02
	return math.Abs(float64(a.Memory.Total-b.Memory.Total)) <= tolerance*float64(a.Memory.Total)
}
