// Package environment describes the host of a measurement.
package environment
