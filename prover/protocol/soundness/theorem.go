package soundness

import "math"

// The challenge field has p^3 elements.
var (
	log2P = math.Log2(math.Exp2(64) - math.Exp2(32) + 1)
	log2Q = 3 * log2P
	// Out-of-domain points are sampled from the field without its base field.
	log2OutOfDomain = log2Q + math.Log1p(-math.Exp2(-2*log2P))/math.Ln2
)

// Source is a publication.
type Source struct {
	Tag, Title, Where string
}

// Sources lists the publications that terms cite by tag.
func Sources() []Source {
	return []Source{
		{"BCIKS20", "Ben-Sasson, Carmon, Ishai, Kopparty, Saraf: Proximity Gaps for Reed-Solomon Codes",
			"ePrint 2020/654, FOCS 2020, J. ACM 2023"},
		{"BCHKS25", "Ben-Sasson, Carmon, Haböck, Kopparty, Saraf: On Proximity Gaps for Reed-Solomon Codes",
			"ePrint 2025/2055"},
		{"Hab25", "Haböck: A note on mutual correlated agreement for Reed-Solomon codes", "ePrint 2025/2110"},
		{"Hab22", "Haböck: A summary on the FRI low degree test", "ePrint 2022/1216"},
		{"ethSTARK", "StarkWare: ethSTARK documentation, version 1.2", "ePrint 2021/582"},
		{"LogUp", "Haböck: Multivariate lookups based on logarithmic derivatives", "ePrint 2022/1530"},
		{"WHIR", "Arnon, Chiesa, Fenzi, Yogev: WHIR: Reed-Solomon Proximity Testing with Super-Fast Verification",
			"ePrint 2024/1586"},
		{"BCS16", "Ben-Sasson, Chiesa, Spooner: Interactive Oracle Proofs", "ePrint 2016/116"},
		{"CCH+19", "Canetti, Chen, Holmgren, Lombardi, Rothblum, Rothblum, Wichs: Fiat-Shamir: From Practice to Theory",
			"STOC 2019, ePrint 2018/1004"},
	}
}

// theorem is a proximity gap: the number of challenges of a line, as field elements, for which a word agrees with the
// code on a fraction alpha of the domain although the two words that it combines do not. Curves of degree l cost l
// times that.
type theorem struct {
	name    string
	formula string // of gap times q
	// gap is log2 of the count, for a domain of 2^logSize points.
	gap func(a agreement, logSize int) float64
}

// agreement is alpha with its origin.
type agreement struct {
	rho, alpha float64
	m          int // 0 under unique decoding
	logLargest int // log2 of the largest domain
}

// uniqueDecoding is BCIKS20 Theorem 1.4 up to the unique decoding radius: n exceptional challenges. Agreement is then
// on the same set, by WHIR Lemma 4.10.
var uniqueDecoding = theorem{
	name:    "BCIKS20 Theorem 1.4, WHIR Lemma 4.10",
	formula: "n",
	gap:     func(_ agreement, logSize int) float64 { return float64(logSize) },
}

// johnson2020 is BCIKS20 Theorem 1.4 up to the Johnson radius, with the weights that FRI's chain needs, multiples of
// n/N: the second summand of Theorem 8.3.
var johnson2020 = theorem{
	name:    "BCIKS20 Theorems 1.4, 8.3",
	formula: "(m+1/2)^7/(3 rho^(3/2)) n^2 + (2m+1)/sqrt(rho) (N+1)",
	gap: func(a agreement, logSize int) float64 {
		t := float64(a.m) + 0.5
		n := math.Exp2(float64(logSize))
		weights := 2 * t / math.Sqrt(a.rho) * (math.Exp2(float64(a.logLargest)) + 1)
		return math.Log2(math.Pow(t, 7)/(3*math.Pow(a.rho, 1.5))*n*n + weights)
	},
}

// johnson2025 is BCHKS25 Theorem 4.2: agreement, on a set that need not be the one on which the combination agrees. The
// printed statement lacks the factor 2 in m = sqrt(rho)/(2 eta), which Theorem 1.5 and the proof have.
var johnson2025 = theorem{
	name:    "BCHKS25 Theorem 4.2",
	formula: "(2(m+1/2)^5 + 3(m+1/2)(1-alpha)rho)/(3 rho^(3/2)) n + (m+1/2)/sqrt(rho)",
	gap: func(a agreement, logSize int) float64 {
		return gap2025(a, float64(a.m)+0.5, logSize)
	},
}

// johnson2025SameSet is BCHKS25 Theorem 4.6, the list form: every agreement set of the combination is an agreement set
// of its parts. It requires twice the multiplicity, m = sqrt(rho)/eta, for the same alpha. The paper sketches the proof
// of this bound, which is linear in n; Hab25 Theorem 2 proves the same statement with the quadratic bound of
// johnson2020.
var johnson2025SameSet = theorem{
	name:    "BCHKS25 Theorem 4.6",
	formula: "(2(2m+1/2)^5 + 3(2m+1/2)(1-alpha)rho)/(3 rho^(3/2)) n + (2m+1/2)/sqrt(rho)",
	gap: func(a agreement, logSize int) float64 {
		return gap2025(a, 2*float64(a.m)+0.5, logSize)
	},
}

func gap2025(a agreement, t float64, logSize int) float64 {
	n := math.Exp2(float64(logSize))
	perPoint := (2*math.Pow(t, 5) + 3*t*(1-a.alpha)*a.rho) / (3 * math.Pow(a.rho, 1.5))
	return math.Log2(perPoint*n + t/math.Sqrt(a.rho))
}
