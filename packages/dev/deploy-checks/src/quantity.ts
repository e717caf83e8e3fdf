const UNITS: Readonly<Record<string, number>> = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
}

/** An amount of processors or bytes, such as `250m`, `1` and `256Mi`, as a number; NaN for anything else. */
export function parseQuantity(text: string | number): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(String(text)) ?? []
  return Number(number) * (UNITS[unit] ?? Number.NaN)
}
