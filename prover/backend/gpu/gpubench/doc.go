// Command gpubench measures the GPU backend on a host with an NVIDIA GPU and reports how far it is from the device's
// limits. It runs the output of `make gpu-build` (the prover, test binaries with benchmarks, prebuilt kernels), needs
// no Go, and writes bench.json:
//
//   - limits: rates of the device measured in the same run, in registers or by copying;
//   - kernels: each benchmark's device time, bytes, operations and fraction of the limit;
//   - stages: the same for each stage of whole proofs of several sizes; bytes and operations are counted from the
//     shape of the proof;
//   - proofs: times, predicted and measured memory, and whether every proof was valid.
//
// The *limit time* is the maximum of two times: the bytes over the copy bandwidth, and the sum of all operations over
// their rates. The *fraction* is the limit time over the measured time. Bytes and operations are the minimum that the
// mathematics requires, with each column read once where it is needed and written once. So unnecessary work lowers a
// fraction and never raises it.
//
// The command proves nothing itself and never opens a device: it runs binaries and reads what they report.
package main
