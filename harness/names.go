package harness

import (
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/words"
)

// Aliases of the types that callers use. New code may also use the packages that define them.
type (
	Baseline    = baseline.Baseline
	Cost        = report.Cost
	Exact       = report.Exact
	Host        = report.Host
	HostReport  = report.HostReport
	HostRun     = report.HostRun
	JoinOptions = report.JoinOptions
	Plan        = plan.Plan
	Profile     = profile.Profile
	Renderer    = report.Renderer
	Report      = report.Report
	Revision    = plan.Revision
	Run         = report.Run
	Secondary   = report.Secondary
	Warning     = plan.Warning
	Workload    = report.Workload
)

// The constants of these types.
const (
	Base          = schedule.Base
	BoundExceeded = report.BoundExceeded
	Complete      = report.Complete
	DropLimit     = report.DropLimit
	Failed        = report.Failed
	KindMetric    = report.KindMetric
	Partial       = report.Partial
	ReportSchema  = report.Schema
	WallSeconds   = metrics.WallSeconds
)

// The functions that callers use.
var (
	AddToProfile = report.AddToProfile
	BaselinesOf  = baseline.OfNight
	Judge        = report.Judge
	JudgeFamily  = report.JudgeFamily
	LoadReport   = report.Load
	PathsIn      = report.PathsIn
	Span         = words.Span
	StageOf      = metrics.StageOf
	SuiteMetric  = report.SuiteMetric
	WriteReport  = report.Write
)
