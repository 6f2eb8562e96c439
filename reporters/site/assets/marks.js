// Points with intervals, drawn on uPlot's canvas after its lines.

// shape draws one mark: discs for base, squares for head, as in the reports.
function shape(ctx, kind, x, y, r, ratio, fill) {
  ctx.beginPath();
  if (kind === "base") ctx.arc(x, y, r, 0, 2 * Math.PI);
  else ctx.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
  ctx.fillStyle = fill;
  ctx.fill();
  if (r < 3 * ratio) return; // an outline would hide neighbouring points
  ctx.lineWidth = ratio;
  ctx.strokeStyle = colours.card;
  ctx.stroke();
}

let colours = {};
function readColours() {
  for (const name of [
    "card",
    "text",
    "soft",
    "axis",
    "grid",
    "base",
    "head",
    "good",
    "bad",
    "neutral",
    "caution",
    "accent",
  ]) {
    colours[name] = colour(name);
  }
}

// hostColours distinguish hosts, also for colour-blind people.
const hostColours = ["head", "base", "neutral", "accent", "caution", "good"];

// whiskers draws an interval with short ends.
function whiskers(ctx, x, low, high, half, ratio, stroke) {
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1.25 * ratio;
  ctx.beginPath();
  ctx.moveTo(x, low);
  ctx.lineTo(x, high);
  if (half > 1) {
    ctx.moveTo(x - half, low);
    ctx.lineTo(x + half, low);
    ctx.moveTo(x - half, high);
    ctx.lineTo(x + half, high);
  }
  ctx.stroke();
}

// drawMarks draws the points within the plot's visible window.
function drawMarks(u, points) {
  const ctx = u.ctx,
    ratio = devicePixelRatio,
    {left, top, width, height} = u.bbox;
  const {min, max} = u.scales.x;
  const seen = points.filter(p => p.x >= min && p.x <= max);
  const room = width / ratio / Math.max(1, seen.length);
  const r = Math.max(1.75, Math.min(4.5, 0.6 * room)) * ratio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top - r, width, height + 2 * r);
  ctx.clip();
  const y = v => u.valToPos(v, "y", true);
  ctx.globalAlpha = seen.length > 300 ? 0.35 : 0.75;
  for (const p of seen) {
    if (exists(p.low) && exists(p.high) && p.high > p.low) {
      whiskers(ctx, u.valToPos(p.x, "x", true), y(p.low), y(p.high), 0.7 * r, ratio, colours[p.colour]);
    }
  }
  ctx.globalAlpha = 1;
  for (const p of seen) shape(ctx, p.shape, u.valToPos(p.x, "x", true), y(p.y), r, ratio, colours[p.colour]);
  ctx.restore();
}

// drawChosen marks the points of the chosen result with rings.
function drawChosen(u, points) {
  const ctx = u.ctx,
    ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.text;
  ctx.lineWidth = 2 * ratio;
  for (const p of points) {
    ctx.beginPath();
    ctx.arc(u.valToPos(p.x, "x", true), u.valToPos(p.y, "y", true), 7 * ratio, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}

// zeroLine draws the line of no change.
function zeroLine(u) {
  const ctx = u.ctx,
    y = Math.round(u.valToPos(0, "y", true)),
    {left, top, width, height} = u.bbox;
  if (y < top || y > top + height) return;
  ctx.save();
  ctx.strokeStyle = colours.axis;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.restore();
}
