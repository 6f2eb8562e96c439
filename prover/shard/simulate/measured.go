package simulate

// Measured are times of guests of this repository on H200s (docs/performance.md), with protocol 2 as of ce59bbe. What a
// shard of 33 million cycles takes is half of what two take on one device. Its fixed part is that of proofs of 1 and 4
// million cycles, and the first phase's share that of the stages trace, count and commit_main. Bytes of records are
// what goes to a device; a core's time to verify is that of a process. The network is not measured: it is one of 25
// Gbit/s.
var Measured = map[string]Times{
	"fib": {
		RunRate: 516e6, Fixed: [2]float64{0.0045, 0.014}, PerCycle: [2]float64{2.24e-9, 4.19e-9}, Resident: 1,
		Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 0.65, ProofBytes: 2.7e6,
		Verify: 0.1, Cores: 16, Write: 0.5e-9,
	},
	"sha256": {
		RunRate: 409e6, Fixed: [2]float64{0.0045, 0.014}, PerCycle: [2]float64{2.95e-9, 5.56e-9}, Resident: 1,
		Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 1.9, ProofBytes: 5.4e6,
		Verify: 0.2, Cores: 16, Write: 0.5e-9,
	},
}
