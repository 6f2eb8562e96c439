package metrics

import (
	"math"
	"strings"
)

// The names of a stage's times: the host's, between backend calls; the device's, from its events; and the host's
// remainder, which the harness computes.
const (
	stagePrefix  = "stage_"
	devicePrefix = "device_"
	hostPrefix   = "host_"
	timeSuffix   = "_seconds"
)

// The harness adds these rows to the stages, so that they add up to the total time of a proof.
const (
	// Unstaged is the part of prove_seconds outside all stages.
	Unstaged = "unstaged_seconds"
	// Outside is the part of wall_seconds outside prove_seconds.
	Outside = "outside_seconds"
)

// A StagePart distinguishes the times of a stage.
type StagePart string

// The parts: the host's time of the stage, the device's time, and the host's remainder.
const (
	StageTime  StagePart = "stage"
	StageOnGPU StagePart = "device"
	StageHost  StagePart = "host"
)

// StageOf splits the name of a stage's time. ok is false for other names.
func StageOf(metric string) (stage string, part StagePart, ok bool) {
	metric, ok = strings.CutSuffix(metric, timeSuffix)
	for part, prefix := range map[StagePart]string{
		StageTime: stagePrefix, StageOnGPU: devicePrefix, StageHost: hostPrefix,
	} {
		if stage, has := strings.CutPrefix(metric, prefix); ok && has {
			return stage, part, true
		}
	}
	return "", "", false
}

// HostStage and DeviceStage name a stage's time by the host's clock and by the device's.
func HostStage(stage string) string { return stagePrefix + stage + timeSuffix }

func DeviceStage(stage string) string { return devicePrefix + stage + timeSuffix }

// HostPart names the host's remainder of a stage: the host's time minus the device's.
func HostPart(stage string) string { return hostPrefix + stage + timeSuffix }

// Rounded rounds a difference of times to the nanosecond, which removes the rounding errors of binary fractions.
func Rounded(seconds float64) float64 { return math.Round(seconds*1e9) / 1e9 }

// Computed reports whether a row of the stages is a difference of times, which may be 0 or negative.
func Computed(metric string) bool {
	_, part, _ := StageOf(metric)
	return part == StageHost || metric == Unstaged || metric == Outside
}
