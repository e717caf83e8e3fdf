import { waitFor } from '@taproom/testkit'

/** Resolves when a number has not changed for `quietMs`, or when it is over for another reason. */
export async function untilQuiet(
  what: string,
  read: () => number,
  { quietMs, timeoutMs, isOver = () => false }: { quietMs: number; timeoutMs: number; isOver?: () => boolean },
): Promise<void> {
  let [last, changedAt] = [read(), performance.now()]
  const isQuiet = () => {
    if (read() !== last) [last, changedAt] = [read(), performance.now()]
    return isOver() || performance.now() - changedAt >= quietMs
  }
  await waitFor(`an end of ${what}`, isQuiet, { timeoutMs, intervalMs: 50 })
}
