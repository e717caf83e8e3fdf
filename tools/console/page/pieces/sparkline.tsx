const WIDTH = 120
const HEIGHT = 26

/** The last values as a small curve from zero; `most` is at least the top of the scale. */
export function Sparkline({ values, most, label }: { values: readonly number[]; most: number; label: string }) {
  const top = Math.max(most, ...values)
  const step = WIDTH / Math.max(9, values.length - 1)
  const points = values.map((value, index) => {
    const x = WIDTH - (values.length - 1 - index) * step
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
