/** Indices of samples between two gaps, which no line shows. A gap is null; `undefined` stands at the times of other lines. */
export function isolatedSamples(values: ArrayLike<number | null | undefined>): number[] {
  const all = Array.from(values)
  const own = [...all.keys()].filter((at) => all[at] !== undefined)
  const hasValue = (place: number) => typeof all[own[place] ?? -1] === 'number'
  return own.filter((_at, place) => hasValue(place) && !hasValue(place - 1) && !hasValue(place + 1))
}
