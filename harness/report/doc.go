// Package report makes the Report of a run from its decision and its journal, and writes report.json and the files next
// to it.
//
// # Vocabulary
//
//   - A Report describes a run, a Workload one of its workloads: counted pairs, statistics, verdict, warnings.
//   - Assemble makes a report from a decision and the journal's history. Judge recomputes the conclusions of a report
//     from an untrusted source, from the values of its pairs alone. Join combines reports of several hosts.
//   - A Secondary is the test of a further metric or of a stage. A Family adjusts the verdicts of all
//     workloads of a run (Holm). An Exact compares quantities that repeat without a test.
//   - A Clock reports whether the prover's or the harness's clock decides. Deferred and Idle describe work outside the
//     compared time. Busy describes a run on a host too disturbed for a verdict.
//   - A Renderer draws a report; packages below reporters implement them.
//
// # What it never does
//
// It starts no process, opens no session and measures nothing: the same decision and history always give the same
// report. It gives no p-value, interval or verdict for a measurement that has not ended.
package report
