// Package environment describes the measuring host, and detects disturbances of a measurement by it.
//
// Vocabulary:
//
//   - A snapshot describes the host at one moment: processors, memory, kernel, limits, GPUs. Two snapshots have
//     differences.
//   - An observer watches the host during one proof, and returns an observation.
//   - A reading is a number in an observation, such as the share of CPU time taken by others.
//   - A cause is a reason to measure a pair again. Only events outside the measured processes are causes: another
//     process on the CPU or the GPU, a hypervisor that takes CPU time away, a suspended host, a GPU slowed by heat or
//     its power supply, memory taken by others. Whatever a revision does to itself is a reading and never a cause;
//     otherwise a real regression would discard its own pairs.
//
// Causes are determined without looking at the compared times. If the host lacks a source (no GPU, no pressure files, a
// container without thermal counters), its readings are omitted and a note says so once; that is never an error.
//
// The package reads /proc, /sys and NVML. It changes nothing on the host except one attribute of its own process: it
// becomes the parent of orphaned descendants, so that their CPU time is accounted for.
package environment
