package simulate

// Measured are times of guests of this repository on H200s (docs/performance.md), as of d64ee58. A shard's are lines
// through those of proofs in two, three and four shards on two devices: its first phase from where its records are
// there. RunRate is what the proofs in two shards leave of the whole: the host's run beside two devices, and what they
// are behind it. Replay is what shards took to begin that came after the run. Two shards of 67 million cycles stay on a
// device of 139 GiB. Bytes of records are what goes to a device; a core's time to verify is that of two shards of the
// guest, less the process's start. The network is not measured: it is one of 25 Gbit/s.
var Measured = map[string]Times{
	"fib": {
		RunRate: 2136e6, Overlap: true, Fixed: [2]float64{0.0010, 0.0087}, PerCycle: [2]float64{1.515e-9, 4.12e-9},
		Replay: 0.30e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 0.65, ProofBytes: 3.3e6,
		Verify: 0.06, Cores: 16, Write: 0.4e-9,
	},
	"sha256": {
		RunRate: 1462e6, Overlap: true, Fixed: [2]float64{0.0030, 0.0147}, PerCycle: [2]float64{2.21e-9, 4.48e-9},
		Replay: 0.65e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 1.9, ProofBytes: 5.4e6,
		Verify: 0.10, Cores: 16, Write: 0.4e-9,
	},
}
