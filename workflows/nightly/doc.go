// Package nightly follows a prover from night to night: is today's revision slower than the last good one, or than it
// was?
//
// A night has four steps, so that the two planes of package workflows stay apart. Prepare decides what is compared and
// how often, from the History and today's head. MeasureNight compares, and measures again what it has not settled.
// Conclude turns the night into records and says what the issue of each workload must become. Publish carries that
// out.
//
// # Vocabulary
//
// A round is one comparison with processes and a seed of its own. A night's figure is of all rounds of one comparison
// together, in percent, positive where head is better. Its error has three parts, the host's [Host] variances: of
// pairs, of processes (which a round draws once, however many pairs it has) and of builds (which a commit draws once,
// however often it is measured).
//
// The last good revision of a workload is the newest one whose comparison with the last good one before it has shown
// non-inferiority at the margin, plan.equivalence of bench.yaml. Not to have found a regression is not enough. The
// anchor is a revision that stays: nightly.baseline where bench.yaml names one, else the first good one; accepting a
// revision makes it the anchor in the place of either. The [Chart] follows head against the anchor over the nights.
//
// A workload is healthy, suspected, or under an alarm. It is suspected while the chart's sums are high, or when
// non-inferiority was not shown; nothing moves and no issue closes then, and the next night measures with more pairs.
// A suspected night without an alarm is unsettled.
// An alarm has a name, the night and the comparison that opened it, and an issue of its own; it ends when it has gone,
// or when people accept that very alarm.
//
// # The rule, and why
//
// All figures are in percent of base; M is the margin, 1 % by default.
//
// Rounds. A night plans as many rounds and pairs as bring the standard error from pairs and processes to 0.4 M, from
// the variances of the nights before and never from tonight's means, so that the means stay unbiased. Until 12 nights
// are known it takes at least four rounds, which measure the host. nightly.pairs and the night's time bound it. While
// the workload is suspected the aim is 0.4 M / sqrt 2. Where rounds do not show non-inferiority, as many with twice
// the pairs follow, within what is left of both. Each of these two looks tests at half of alpha, one-sided.
//
// Pairwise alarm. Head is slower than the last good revision, or than the baseline, by the pairwise test when both sets
// of rounds say so at 2.5 % with their own errors, the estimate of all is beyond M, and beyond 3.5 standard deviations
// of pairs, processes and the two builds. A build's draw stays with a commit, so no repetition in one night can tell it
// from a regression: hence the limit. Until they are measured, processes and builds count as M/2 each, with the weight
// of four nights. The last good revision was chosen for being no slower than the one before it, and so on: where builds
// scatter that chooses lucky ones, than which every other commit is slower. Once the chart has started, its score of
// that night must therefore lie 3.5 below as well; without that, two to three false alarms a year came of it.
//
// Chart. Each head's figure against the anchor becomes a score by Hawkins's self-starting method
// ([stats.SelfStarting]): the level and the scatter of the points before stand for the unknown ones, and contain the
// anchor's build and the scatter of builds, processes and pairs as they are on this host. A scatter below M/2 counts as
// M/2: a host without noise is not to raise alarms of a fifth of the margin. A night's standard error that differs from
// the usual one widens or narrows the scatter accordingly. A score counts 4 at most, so that no single night can
// signal. One commit is one point, however many nights measure it. Two CUSUMs add up: k 0.5 and h 5.5 for steps, k 0.25
// and h 11 for creep. While the scores are normal they signal falsely every 1,540 and 3,450 points on average
// ([stats.CUSUM.RunLength]), together once in three years; as scores from a reference that is held fixed depend on each
// other, it is up to twice as often. One CUSUM with k 0.5 and h 7 holds as well, with half of the false alarms, and
// finds a step of 2 % in a median of 3 nights where pairs scatter by 3 %, which is all that is allowed; the two
// together find it in 2. While a sum is 3 or more the points are held back from the reference; when both are below,
// they join it. A third CUSUM, k 0.5 and h 10, looks the other way: where head has become faster the level begins anew
// with the points held back, and no alarm is raised. Accepting begins the level anew too; the scatter is kept.
//
// Start. The chart scores from the first night on: the anchor, unless bench.yaml names it, is its first point, and
// until 12 points are known builds count as in the pairwise test, with M/2 and the weight of four nights. Until then
// the reference takes no night that was not shown to be non-inferior. Such nights are held, and join it with the next
// one that is shown so, while the sums are low: leaving them out would keep only the lucky builds and raise the level.
// The scores of held points share the error of a short reference, so the sums do not signal alone: the held points
// together must also lie 2 standard deviations of both means below the reference. A reference of the first 12 points as
// they come takes a step in the first weeks for the level.
//
// Unsettled nights. After nightly.unsettled of them in a row, 10 by default, an issue opens that says so, unless all of
// them together show that head is not slower by M than the chart's reference before them: one point a commit, with the
// chart's scatter, at half of alpha. Without that exception hosts whose builds scatter by M/2 would open three or four
// such issues a year, because their last good revision is a lucky build. Nights that failed neither count nor end the
// row.
//
// End of an alarm. The evidence that head is back, against its being slower by M or more, is a sum of log likelihood
// ratios that starts at 0 and never falls below; the alarm ends at log 1000 (Page again; a false end takes at least
// 1,000 nights on average while head is slower by M). What lies above the level counts one standard deviation a night
// at most: two would double the false ends, and save one night in nine. It is over at once when head is the last good
// revision itself, and, while the chart is starting, when non-inferiority is shown and the figure is 3.5 standard
// deviations above the one that opened the alarm.
//
// docs/guide/nights.md has what a simulation gives; TestSimulation and TestEarlySteps make it again.
//
// # What it never does
//
// It never moves the last good revision on a night that has not shown non-inferiority, that failed, or under an alarm;
// people do that by accepting, and it is recorded who was believed, why, and which alarm it ended. It never rewrites
// the history: lines are only added.
//
// # Sources
//
//   - E. S. Page, "Continuous inspection schemes", Biometrika 41 (1954).
//   - D. M. Hawkins, "Self-starting CUSUM charts for location and scale", The Statistician 36 (1987).
//   - D. M. Hawkins and D. H. Olwell, "Cumulative Sum Charts and Charting for Quality Improvement", Springer (1998).
package nightly
