package svg

// arial are the widths of the printable characters of ASCII, from the space on, in thousandths of the size. They are
// those of Arial and of the fonts made to its measure: Helvetica, Arimo, Liberation Sans.
var arial = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// widest is assumed of any other character, in thousandths of the size.
const widest = 1300

// textWidth is how wide a text of a size is at most, in pixels.
func textWidth(s string, size float64) float64 {
	sum := 0
	for _, r := range s {
		if i := int(r) - ' '; i >= 0 && i < len(arial) {
			sum += arial[i]
		} else {
			sum += widest
		}
	}
	return float64(sum) * size / 1000
}
