// Package environment describes the host as it was measured, and guards a measurement against it.
//
// Vocabulary:
//
//   - A snapshot is what the host is and how it stands at one moment: processors, memory, kernel,
//     limits, GPUs. Two snapshots have differences.
//   - An observer watches the host while one proof runs. What it saw is an observation.
//   - A reading is a number of an observation, such as the share of CPU time taken by others.
//   - A cause is a reason to measure a pair again. Only what happens outside the measured processes
//     is one: another process on the CPU or the GPU, a hypervisor that takes CPU time away, a
//     suspended host, a GPU that heat or the power supply slows down, memory taken by others. Whatever
//     a revision under test does to itself is a reading and never a cause, for else a real
//     regression would drop its own pairs.
//
// Causes are found without looking at any time that is compared. A source that this host does not
// have (no GPU, no pressure files, a container without thermal counters) leaves its readings out
// and is said once; it is never an error.
//
// The package reads /proc, /sys and NVML. It changes nothing on the host but one attribute of its own
// process: orphans of its children become its children, so that nothing escapes the account.
package environment
