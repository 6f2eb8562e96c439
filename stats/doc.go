// Package stats decides, from pairs of measurements, whether head differs from base.
//
// All functions are pure: none reads a file by name, a clock or a global source of randomness, and equal input gives
// equal bytes. [Analyze] computes everything at once; every part is also exported on its own.
//
// # Vocabulary
//
// A pair is one measurement a of base and one measurement b of head, taken next to each other. Its difference d is
// log(a) - log(b) on the log scale (the default, for times), 100 (a - b) / a on the percent scale and a - b on the
// difference scale. A positive d means that head's value is lower, which for a time means that head is faster.
// Swapping the arms flips the sign of every d on the log and difference scales, and nothing else.
//
// alpha is the two-sided error rate of a whole run. The level is the two-sided rate of one analysis of the data. In a
// plan without interim analyses they are equal.
//
// # What is computed
//
//   - [PairedT]: Student's one-sample t on the differences of units.
//   - [SignFlipTest]: the randomization test over units, exact up to 500 of them.
//   - [WilcoxonSignedRank]: the signed-rank test, exact up to [ExactLimit] ranked units whatever the ties and zeros.
//   - [PseudoMedian]: Hodges and Lehmann's estimate, with an interval that inverts the exact signed-rank test.
//   - [OrderEffect]: whether pairs measured base first differ from pairs measured head first.
//   - [Equivalence]: two one-sided t tests (TOST) at a margin.
//   - [Steadiness]: how steady the run was.
//   - [Holm]: adjusted p-values of a family of tests.
//   - [CompareHeads]: several heads against one base, adjusted for their number; [HolmOfGroups] for several workloads.
//   - [UnitsNeeded], [MinimumDetectableEffect]: the effect that a run with this noise can detect.
//   - [Components]: variance components of pairs, processes and builds, with intervals.
//   - [Design]: group-sequential plans, which may stop for a difference or for equivalence.
//   - [Decide]: the verdict.
//   - [CompareApart]: unpaired samples, by [WelchT] and [MannWhitney]. Measurements of other tools are unpaired; the
//     strongest verdict is that the samples differ.
//
// # The rule and its limits
//
// The tests are over sampling units, not pairs: builds if several are sampled, else processes, else blocks; pairs if
// blocks are too few or unknown (see [Unit]). A unit's difference is the mean of its pairs, adjusted for order. A
// verdict of a difference needs both tests over units to reject: the sign-flip test, which is exact because the orders
// are randomized, and the t test, so that no verdict contradicts the interval. docs/spec/statistics.md derives the
// rule.
//
// If base and head run the same code, and each samples a unit's process and build in the same way, then a unit's
// difference is as likely as its negative. Improvement and Regression together then occur with probability at most
// alpha, and each with at most alpha/2, whatever the noise, its autocorrelation, drift or order effect. A process or
// build shared by all units is not covered: its effect counts as an effect of the change.
//
// A skewed d with mean zero is not covered either. It requires arms of different shape with equal means. For
// exponential d shifted to mean zero, the two directions together occur 4 to 6 % of the time at alpha = 5 % with 14 to
// 48 pairs. No bound holds for all shapes: if one pair in twenty is an outlier, most samples have no outlier and lie on
// one side of the mean, and the rate is 9 to 41 %. The tests of this package measure these rates.
//
// # Sources
//
//   - R. A. Fisher, "The Design of Experiments", section 21 (1935).
//   - R. K. Burdick and F. A. Graybill, "Confidence Intervals on Variance Components" (1992).
//   - Student, "The probable error of a mean", Biometrika 6 (1908).
//   - F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
//   - H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than
//     the other", Ann. Math. Stat. 18 (1947).
//   - B. L. Welch, "The generalization of Student's problem when several different population variances are
//     involved", Biometrika 34 (1947).
//   - J. W. Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures", JASA 54 (1959).
//   - J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Ann. Math. Stat. 34 (1963).
//   - S. A. Fellingham and D. J. Stoker, "An approximation for the exact distribution of the Wilcoxon test for
//     symmetry", JASA 59 (1964).
//   - J. E. Kolassa and P. McCullagh, "Edgeworth series for lattice distributions", Ann. Stat. 18 (1990).
//   - M. Hollander, D. A. Wolfe and E. Chicken, "Nonparametric Statistical Methods", 3rd ed., sections 3.1 to 3.3.
//   - M. Hills and P. Armitage, "The two-period cross-over clinical trial", Br. J. Clin. Pharmacol. 8 (1979).
//   - D. J. Schuirmann, "A comparison of the two one-sided tests procedure", J. Pharmacokinet. Biopharm. 15 (1987).
//   - Z. Sidak, "Rectangular confidence regions for the means of multivariate normal distributions", JASA 62 (1967).
//   - R. Marcus, E. Peritz and K. R. Gabriel, "On closed testing procedures", Biometrika 63 (1976).
//   - S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979).
//   - K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983).
//   - P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance tests", JRSS A 132 (1969).
//   - C. Jennison and B. W. Turnbull, "Group Sequential Methods", chapters 7, 9 and 19.
package stats
