package metrics

import (
	"math"
	"strings"
)

// Of the names of a stage's times: the host's, between its own calls; the device's, by events on it; and the rest of
// the host's, which the harness computes.
const (
	stagePrefix  = "stage_"
	devicePrefix = "device_"
	hostPrefix   = "host_"
	timeSuffix   = "_seconds"
)

// What the harness adds to the stages, so that they make up the whole of a proof.
const (
	// Unstaged is the part of prove_seconds that is in no stage.
	Unstaged = "unstaged_seconds"
	// Outside is the part of wall_seconds that is outside of prove_seconds.
	Outside = "outside_seconds"
)

// A StagePart says which time of a stage a metric is.
type StagePart string

// The parts: the host's time of the stage, or that of the device and what the host's exceeds it by.
const (
	StageTime  StagePart = "stage"
	StageOnGPU StagePart = "device"
	StageHost  StagePart = "host"
)

// StageOf takes the name of a stage's time apart. It is not ok for the name of anything else.
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

// HostStage is the name of a stage's time by the host's clock, and DeviceStage by the device's.
func HostStage(stage string) string { return stagePrefix + stage + timeSuffix }

func DeviceStage(stage string) string { return devicePrefix + stage + timeSuffix }

// HostPart is the name of what the host's time of a stage exceeds the device's by.
func HostPart(stage string) string { return hostPrefix + stage + timeSuffix }

// Rounded is a difference of times to the nanosecond: below that is what binary fractions leave of decimal ones.
func Rounded(seconds float64) float64 { return math.Round(seconds*1e9) / 1e9 }

// Computed says whether a row of a workload's stages is a difference of times, which may be 0 or less.
func Computed(metric string) bool {
	_, part, _ := StageOf(metric)
	return part == StageHost || metric == Unstaged || metric == Outside
}
