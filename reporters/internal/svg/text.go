package svg

// arial holds the widths of the printable ASCII characters, from the space on, in thousandths of the font size.
// Helvetica, Arimo and Liberation Sans have the same widths as Arial.
var arial = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// widest is the width assumed for any other character, in thousandths of the font size.
const widest = 1300

// fallback is the ratio of a page's widest likely font to Arial: DejaVu Sans, common on Linux, is 1.2 times as wide.
const fallback = 1.25

// reserved returns the width in pixels to reserve for a text in any of the page's fonts.
func reserved(s string, size float64) float64 { return fallback * textWidth(s, size) }

// textWidth returns the width in pixels of a text in Arial.
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
