import type { TriedEvent, TriedRequest } from '../../src/api/requests.ts'
import { ask } from '../api.ts'
import { eventsOf } from '../events-of.ts'

/** Makes a request at the gateway through the console, and passes each part of the answer to `take` as it arrives. */
export async function tryRequest(
  request: TriedRequest,
  take: (event: TriedEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await ask('POST', '/api/requests', request, signal)
  await eventsOf(answer, ({ data }) => take(JSON.parse(data) as TriedEvent))
}
