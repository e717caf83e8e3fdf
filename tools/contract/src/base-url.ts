import { reasonOf, rootCause } from '@taproom/core/lines'
import { ContractUsageError } from './errors.ts'

/** How long the system may take to answer the first request, in milliseconds. */
const FIRST_ANSWER_MS = 10_000

/** The base URL that an option names, without slashes at its end. @throws {ContractUsageError} when it is none */
export function readBaseUrl(text: string): string {
  const protocol = URL.parse(text)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '')
  throw new ContractUsageError(`--url ${JSON.stringify(text)}: expected http://… or https://…`)
}

/**
 * Asks once and accepts any answer: without a system, every single check would fail.
 *
 * @throws {ContractUsageError} when nothing answers
 */
export async function requireAnswer(url: string): Promise<void> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FIRST_ANSWER_MS) })
    await response.body?.cancel()
  } catch (error) {
    // `fetch` has the reason in the cause of its error, mostly as a code of the operating system.
    const root = rootCause(error)
    const reason = root instanceof Error && 'code' in root ? root.code : reasonOf(root)
    throw new ContractUsageError(`nothing answers at ${url} (${reason}): is it started?`, {
      cause: error,
      hasUsage: false,
    })
  }
}
