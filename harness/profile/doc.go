// Package profile keeps noise profiles: what A/A runs have shown of the scatter of one workload on one host.
//
// A Profile pools the variance components of its runs (pairs, processes, builds). From them follow the smallest effect
// that a plan can detect, and the cheapest plan that detects a given effect. A profile speaks of one metric on one
// host; another host or metric begins a new one.
//
// It never changes a verdict: forecasts and advice read it.
package profile
