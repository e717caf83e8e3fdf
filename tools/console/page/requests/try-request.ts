import type { TriedEvent, TriedRequest } from '../../src/api/requests.ts'
import { ask } from '../api.ts'
import { eventsOf } from '../events-of.ts'

/** Makes a request at the gateway through the console; what comes of it goes to `take`, as it comes. */
export async function tryRequest(
  request: TriedRequest,
  take: (event: TriedEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await ask('POST', '/api/requests', request, signal)
  await eventsOf(answer, ({ data }) => take(JSON.parse(data) as TriedEvent))
}
