import type { Series } from '../api/traces.ts'
import { keyOf, type Point } from './metric-points.ts'

export interface HistoryOptions {
  /** Moments that are kept of each service; default 720, an hour of one each five seconds. */
  readonly maxMoments?: number
  /** Series of one service; default 400. */
  readonly maxSeries?: number
  /** How long a moment is kept; default an hour. */
  readonly keepMs?: number
}

interface OwnSeries extends Pick<Point, 'name' | 'labels' | 'unit'> {
  /** By the service's moments, in a ring. */
  readonly values: Float64Array
  /** The moment that it had a value at last. */
  lastMoment: number
}

/**
 * The curves of one service, within bounds: of series beyond the bound nothing is kept. A curve that has had no value for as long as
 * moments are kept is gone.
 */
export class ServiceHistory {
  readonly #times: Float64Array
  readonly #series = new Map<string, OwnSeries>()
  readonly #maxSeries: number
  readonly #keepMs: number
  #moments = 0

  constructor({ maxMoments = 720, maxSeries = 400, keepMs = 3_600_000 }: HistoryOptions = {}) {
    this.#times = new Float64Array(maxMoments)
    this.#maxSeries = maxSeries
    this.#keepMs = keepMs
  }

  /** Keeps the points of one moment; a series without one has a gap there. */
  add(time: number, points: readonly Point[]): void {
    const place = this.#moments % this.#times.length
    this.#times[place] = time
    for (const { values } of this.#series.values()) values[place] = Number.NaN
    for (const point of points) {
      const series = this.#seriesOf(point)
      if (series === undefined) continue
      series.values[place] = point.value
      series.lastMoment = this.#moments
    }
    this.#moments += 1
    for (const [key, { lastMoment }] of this.#series) {
      if (this.#moments - lastMoment > this.#times.length) this.#series.delete(key)
    }
  }

  #seriesOf({ name, labels, unit }: Point): OwnSeries | undefined {
    const key = keyOf(name, labels)
    const known = this.#series.get(key)
    if (known !== undefined || this.#series.size >= this.#maxSeries) return known
    const values = new Float64Array(this.#times.length).fill(Number.NaN)
    const series = { name, labels, unit, values, lastMoment: this.#moments }
    this.#series.set(key, series)
    return series
  }

  /** The curves that are wanted, with their points after `since`; those without any are left out. */
  read(service: string, since: number, isWanted: (name: string) => boolean): readonly Series[] {
    const places = this.#placesAfter(since)
    const times = places.map((place) => Math.round(this.#times[place] ?? 0))
    return [...this.#series.values()].flatMap(({ name, labels, unit, values }) => {
      if (!isWanted(name)) return []
      const shown = places.map((place) => shownValue(values[place]))
      return shown.every((value) => value === null) ? [] : [{ name, service, labels, unit, times, values: shown }]
    })
  }

  #placesAfter(since: number): readonly number[] {
    const newest = this.#times[(this.#moments - 1) % this.#times.length] ?? 0
    const after = Math.max(since, newest - this.#keepMs)
    const places: number[] = []
    for (let moment = Math.max(0, this.#moments - this.#times.length); moment < this.#moments; moment += 1) {
      const place = moment % this.#times.length
      if ((this.#times[place] ?? 0) > after) places.push(place)
    }
    return places
  }
}

/** Six digits are more than any chart shows. */
function shownValue(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6))
}
