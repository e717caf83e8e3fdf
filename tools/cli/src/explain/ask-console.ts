import type { RunningConsole } from '@taproom/start'
import { CliError } from '../errors.ts'

const TIMEOUT_MS = 15_000

/**
 * Reads what the console's API answers to `GET`; `query` without the members that are undefined.
 *
 * @throws {CliError} when the console does not answer, or refuses: with its detail
 */
export async function askConsole<T>(
  { url, session }: RunningConsole,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<T> {
  const target = new URL(path, url)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, value)
  const headers = { authorization: `Bearer ${session}` }
  const response = await fetch(target, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new CliError(`the console at ${url} does not answer: it starts when all services are ready`, { cause })
  })
  const answer: unknown = await response.json().catch((cause: unknown) => {
    throw new CliError(`the console at ${url} answered ${response.status} with what is not JSON`, { cause })
  })
  if (response.ok) return answer as T
  const { detail } = answer as { readonly detail?: string }
  throw new CliError(detail ?? `the console at ${url} answered ${response.status}`)
}
