// Package fri has the arithmetic of FRI over mixed heights: the folding schedule, and a verifier's computation along
// one query.
package fri
