import type { Verdicts } from '@taproom/console/verdicts'
import { CliError } from '../errors.ts'

const TIMEOUT_MS = 15_000

/**
 * Reads the verdicts of the console.
 *
 * @throws {CliError} when the console does not answer, or no part has this name: with the names that are close
 */
export async function askVerdicts(
  { url, session }: { readonly url: string; readonly session: string },
  name: string | undefined,
): Promise<Verdicts> {
  const query = name === undefined ? '' : `?${new URLSearchParams({ name })}`
  const headers = { authorization: `Bearer ${session}` }
  const response = await fetch(`${url}/api/verdicts${query}`, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CliError(`the console at ${url} does not answer: it starts when all services are ready`, { cause })
  })
  const answer: unknown = await response.json()
  if (response.ok) return answer as Verdicts
  const { detail } = answer as { readonly detail?: string }
  throw new CliError(detail ?? `the console at ${url} answered ${response.status}`)
}
