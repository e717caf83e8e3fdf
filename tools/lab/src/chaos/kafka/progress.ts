import type { Append, End, PairedTransaction, Position } from './history.ts'

const APPENDS = 30

/** The clients' work so far, in lists that grow. */
export interface Work {
  readonly appends: readonly Append[]
  readonly ends: readonly End[]
  readonly positions: readonly Position[]
  readonly transactions: readonly PairedTransaction[]
}

/** Notices when every kind of client has got something done since it was started over. */
export function createProgress({ appends, ends, positions, transactions }: Work) {
  const done = () => [
    appends.filter(({ offset }) => offset !== undefined).length / APPENDS,
    ends.length,
    positions.filter(({ kind }) => kind === 'commit').length,
    transactions.filter(({ outcome }) => outcome === 'commit').length,
  ]
  let before = done()
  return {
    isMade: () => done().every((count, index) => count >= (before[index] ?? 0) + 1),
    startOver() {
      before = done()
    },
  }
}
