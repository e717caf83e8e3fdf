const WIDTH = 120
const HEIGHT = 26

/** The last values as a small curve from zero; a single value is a short line; `most` is at least the top of the scale. */
export function Sparkline({ values, most, label }: { values: readonly number[]; most: number; label: string }) {
  const top = Math.max(most, ...values)
  const step = WIDTH / Math.max(9, values.length - 1)
  const shown = values.length === 1 ? [...values, ...values] : values
  const points = shown.map((value, index) => {
    const x = WIDTH - (shown.length - 1 - index) * (values.length === 1 ? step / 3 : step)
    return `${x.toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1)}`
  })
  const first = points[0]?.split(',')[0] ?? WIDTH
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      <polygon points={`${first},${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}
