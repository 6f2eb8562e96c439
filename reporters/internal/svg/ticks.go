package svg

import (
	"math"
	"strconv"
	"time"
)

// Ticks returns at most n multiples of 1, 2 or 5 times a power of ten from low to high.
func Ticks(low, high float64, n int) []Tick {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) || n < 1 {
		return nil
	}
	exponent := int(math.Floor(math.Log10(span))) - 1
	factor := 1.0
	for math.Floor(high/step(factor, exponent))-math.Ceil(low/step(factor, exponent))+1 > float64(n) {
		switch factor {
		case 1, 5:
			factor *= 2
		case 2:
			factor = 5
		}
		if factor == 10 {
			factor, exponent = 1, exponent+1
		}
	}
	by := step(factor, exponent)
	var ticks []Tick
	for i := math.Ceil(low / by); i*by <= high && len(ticks) < n; i++ {
		value := i * by
		if i == 0 {
			value = 0 // avoid -0
		}
		ticks = append(ticks, Tick{value, strconv.FormatFloat(value, 'f', max(0, -exponent), 64)})
	}
	return ticks
}

func step(factor float64, exponent int) float64 { return factor * math.Pow10(exponent) }

// WholeTicks returns at most n ticks at whole numbers, for an axis of counts.
func WholeTicks(low, high float64, n int) []Tick {
	if high-low < float64(n) {
		var ticks []Tick
		for v := math.Ceil(low); v <= high; v++ {
			ticks = append(ticks, Tick{v + 0, strconv.FormatFloat(v+0, 'f', 0, 64)})
		}
		return ticks
	}
	return Ticks(low, high, n)
}

// DayTicks returns at most n dates, for an axis of seconds since 1970.
func DayTicks(low, high float64, n int) []Tick {
	const day = 24 * 60 * 60
	by := max(1, math.Ceil((high-low)/day/float64(n))) * day
	var ticks []Tick
	for v := math.Ceil(low/day) * day; v <= high && len(ticks) < n; v += by {
		ticks = append(ticks, Tick{v, time.Unix(int64(v), 0).UTC().Format("2 Jan")})
	}
	return ticks
}

// Names returns the ticks of a categorical axis: one at each whole number from 0.
func Names(names ...string) []Tick {
	ticks := make([]Tick, len(names))
	for i, name := range names {
		ticks[i] = Tick{float64(i), name}
	}
	return ticks
}
