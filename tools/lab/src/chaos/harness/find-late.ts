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
