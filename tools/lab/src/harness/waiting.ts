import { type WaitOptions, waitFor } from '@taproom/testkit'

/** Waits for a condition; gives the finding when it does not come in time. */
export async function findLate(
  what: string,
  condition: () => boolean | Promise<boolean>,
  options?: WaitOptions,
): Promise<string[]> {
  return await waitFor(what, condition, options).then(
    () => [],
    (error: unknown) => [String(error)],
  )
}

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
