/** The least of the values that this part of them is not above, such as 0.99; NaN when there are none. Sorts them. */
export function percentile(values: number[], part: number): number {
  values.sort((a, b) => a - b)
  return values[Math.max(0, Math.ceil(values.length * part) - 1)] ?? Number.NaN
}
