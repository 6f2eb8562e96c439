//go:build !amd64

package cpufeature

const best = Generic

const hasByteDots, hasMultiplyAdd = false, false
