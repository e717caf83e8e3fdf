import type { Band } from './band.ts'
import { clock, duration } from './format.ts'

interface BandsProps {
  readonly bands: readonly Band[]
  /** The times at both ends. */
  readonly from: number
  readonly to: number
}

/** States over time, each in the colour of its health; a time without a known state stays empty. */
export function Bands({ bands, from, to }: BandsProps) {
  const place = (time: number) => (Math.min(1, Math.max(0, (time - from) / Math.max(1, to - from))) * 100).toFixed(2)
  return (
    <div class="bands" aria-hidden="true">
      {bands
        .filter((band) => band.to >= from && band.from <= to)
        .map((band) => (
          <span
            key={band.from}
            class={band.health}
            style={{ left: `${place(band.from)}%`, right: `${100 - Number(place(band.to))}%` }}
            title={`${band.state} for ${duration(band.to - band.from)} from ${clock(band.from).slice(0, 8)}`}
          />
        ))}
    </div>
  )
}
