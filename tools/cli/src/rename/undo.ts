import { reasonOf } from '@taproom/core/lines'

/**
 * Takes the steps, the last one first. One that fails does not end the others.
 *
 * @throws the error that was the reason to undo; when a step fails, an error that names both and has the reason as its `cause`
 */
export async function undoAll(steps: readonly (() => Promise<unknown>)[], reason: unknown): Promise<never> {
  const failures: string[] = []
  for (const step of steps.toReversed()) await step().catch((error: unknown) => failures.push(reasonOf(error)))
  if (failures.length === 0) throw reason
  throw new Error(`${reasonOf(reason)}\n\nNot all is as before:\n${failures.join('\n')}`, { cause: reason })
}
