package harness

import (
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/words"
)

// The types that callers use, under one name. New code may also name the packages that define them.
type (
	Adhoc                 = plan.Adhoc
	Arm                   = schedule.Arm
	Artifact              = plan.Artifact
	Baseline              = baseline.Baseline
	BuildLine             = measure.BuildLine
	Busy                  = report.Busy
	Cause                 = evidence.Cause
	Challenge             = evidence.Challenge
	Clock                 = report.Clock
	Command               = plan.Command
	Commands              = plan.Commands
	Cost                  = report.Cost
	Counter               = report.Counter
	CrossCheck            = evidence.CrossCheck
	Decision              = plan.Decision
	Deferred              = report.Deferred
	Drop                  = evidence.Drop
	Environment           = report.Environment
	EnvironmentDifference = report.EnvironmentDifference
	Event                 = evidence.Event
	Exact                 = report.Exact
	Failure               = failure.Failure
	FailureError          = failure.Error
	Family                = report.Family
	Host                  = report.Host
	HostReport            = report.HostReport
	HostRun               = report.HostRun
	Idle                  = evidence.Idle
	Input                 = plan.Input
	JoinOptions           = report.JoinOptions
	Metric                = metrics.Metric
	Notice                = measure.Notice
	Pair                  = evidence.Pair
	Paths                 = report.Paths
	Plan                  = plan.Plan
	Profile               = profile.Profile
	Rate                  = plan.Rate
	Renderer              = report.Renderer
	Report                = report.Report
	Revision              = plan.Revision
	Run                   = report.Run
	Sample                = evidence.Sample
	SampleKind            = evidence.SampleKind
	Samples               = evidence.Samples
	Script                = plan.Script
	Secondary             = report.Secondary
	Session               = evidence.Session
	StageScatter          = report.StageScatter
	State                 = report.State
	TableRenderer         = report.TableRenderer
	Throughput            = report.Throughput
	Throughs              = report.Throughs
	PreCheck              = baseline.PreCheck
	UsageError            = failure.UsageError
	Verified              = evidence.Verified
	Warning               = plan.Warning
	Workload              = report.Workload
)

// The constants of these types.
const (
	Alone           = evidence.Alone
	Base            = schedule.Base
	BaselineSchema  = baseline.Schema
	BoundExceeded   = report.BoundExceeded
	BoundOpen       = report.BoundOpen
	Complete        = report.Complete
	DropLimit       = report.DropLimit
	ExitFailed      = failure.ExitFailed
	ExitInterrupted = failure.ExitInterrupted
	ExitOK          = failure.ExitOK
	ExitRegression  = failure.ExitRegression
	ExitUnfit       = failure.ExitUnfit
	ExitUsage       = failure.ExitUsage
	Failed          = report.Failed
	GPUError        = report.GPUError
	Head            = schedule.Head
	KindCalibrate   = plan.KindCalibrate
	KindMetric      = report.KindMetric
	KindStage       = report.KindStage
	Measured        = evidence.Measured
	Outside         = metrics.Outside
	Partial         = report.Partial
	ProfileAuto     = measure.ProfileAuto
	ReportSchema    = report.Schema
	StageHost       = metrics.StageHost
	StageTime       = metrics.StageTime
	StepEnvironment = failure.StepEnvironment
	StepStatistics  = failure.StepStatistics
	Unstaged        = metrics.Unstaged
	WallSeconds     = metrics.WallSeconds
	WarmUp          = evidence.WarmUp
)

// The functions that callers use.
var (
	AbandonedBuilds = plan.AbandonedBuilds
	AddToProfile    = report.AddToProfile
	BaselinesOf     = baseline.OfNight
	BuildsFolders   = plan.BuildsFolders
	DecodeBaselines = baseline.Decode
	DeviceStage     = metrics.DeviceStage
	EncodeBaselines = baseline.Encode
	ErrInterrupted  = failure.ErrInterrupted
	HostStage       = metrics.HostStage
	Judge           = report.Judge
	JudgeFamily     = report.JudgeFamily
	Leftovers       = measure.Leftovers
	LoadReport      = report.Load
	MayBeJudgedBy   = metrics.MayBeJudgedBy
	ParseFailOn     = plan.ParseFailOn
	PathsIn         = report.PathsIn
	ProfileSources  = measure.ProfileSources
	RunsFolder      = journal.RunsFolder
	SortBaselines   = baseline.Sort
	Span            = words.Span
	StageOf         = metrics.StageOf
	SuiteMetric     = report.SuiteMetric
	WriteReport     = report.Write
)
