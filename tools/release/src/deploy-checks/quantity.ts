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

/** The number of processors or bytes in `250m`, `1` or `256Mi`; NaN for other texts. */
export function parseQuantity(text: string | number): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(String(text)) ?? []
  return Number(number) * (UNITS[unit] ?? Number.NaN)
}
