package simulate

// Measured are times of guests of this repository on H200s (docs/performance.md), as of 3c6fd7e. A shard's are
// those of whole proofs of 33 and 67 million cycles without the run, but for 4 ms that the tables take behind
// it: the first phase's share is that of the stages trace, count and commit_main. Replay is what kernels take
// in stage trace. RunRate is what the proofs in two shards leave of it: the host's run beside two devices, and
// what they are behind it. Two shards of 67 million cycles stay on a device of 139 GiB. Bytes of records are
// what goes to a device; a core's time to verify is that of a process. The network is not measured: it is one
// of 25 Gbit/s.
var Measured = map[string]Times{
	"fib": {
		RunRate: 2256e6, Overlap: true, Fixed: [2]float64{0.0046, 0.0104}, PerCycle: [2]float64{1.64e-9, 4.26e-9},
		Replay: 0.30e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 0.65, ProofBytes: 2.6e6,
		Verify: 0.14, Cores: 16, Write: 0.5e-9,
	},
	"sha256": {
		RunRate: 923e6, Overlap: true, Fixed: [2]float64{0.0057, 0.0169}, PerCycle: [2]float64{2.40e-9, 4.69e-9},
		Replay: 0.58e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 1.9, ProofBytes: 5.4e6,
		Verify: 0.14, Cores: 16, Write: 0.5e-9,
	},
}
