// Package profile stores noise profiles: the scatter of one workload on one host, measured by A/A runs.
//
// A Profile pools the variance components of its runs (pairs, processes, builds). From these it computes the smallest
// effect that a plan can detect, and the cheapest plan that detects a given effect. A profile is for one metric on one
// host; another host or metric starts a new profile.
//
// Profiles never change a verdict. Only forecasts and advice use them.
package profile
