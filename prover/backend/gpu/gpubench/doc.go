// Command gpubench measures the GPU backend on a host with an NVIDIA GPU and says how far from the device's limits it
// is. It runs what `make gpu-build` made (the prover, test binaries with their benchmarks, prebuilt kernels), needs no
// Go, and writes bench.json:
//
//   - limits: rates of the device measured in the same run, in registers or by copying;
//   - kernels: each benchmark's device time, bytes, operations and fraction of the limit;
//   - stages: of whole proofs over sizes, the same by stage, with the bytes and operations that the stage must move
//     and do, counted from the shape of the proof;
//   - proofs: times, memory predicted and measured, and whether every proof was valid.
//
// A *limit time* is the larger of bytes over the copy bandwidth and of the sum of operations over their rates; the
// *fraction* is the limit time over the time taken. Bytes and operations are the least that the mathematics asks for,
// each column read once where it is needed and written once, so a fraction is never flattered by work that need not be
// done.
//
// The command proves nothing itself and never opens a device: it runs binaries and reads what they report.
package main
