import { type Api, NO_RESPONSE, type RequestContext } from '../apis/definition/api.ts'
import { handleGuarded, refuse } from '../apis/guards/guards.ts'
import { withError, withOtherError } from '../faults/error-answer.ts'
import type { FaultTarget } from '../faults/fault-target.ts'
import type { RequestFaults } from '../faults/request-faults.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'

interface Asked {
  readonly api: Api
  readonly request: unknown
}

/** The request, as rules see it. */
export function targetOf({ api, request }: Asked, { broker, clientId }: Omit<RequestContext, 'faults'>): FaultTarget {
  const { topics, fetchSessions, nodeId } = broker
  const sessionTopics = () => {
    const { sessionId } = request as { readonly sessionId: number }
    return fetchSessions.find(sessionId)?.topics((id) => topics.findById(id)?.name) ?? []
  }
  return {
    ...{ api: api.name, nodeId, clientId, request },
    ...(api.key === API_VERSIONS.Fetch.key && { sessionTopics }),
    topicId: (name) => topics.find(name)?.id,
  }
}

/** Answers a request about which rules have something to say; `drop` closes the connection. Skips a request whose connection closed during a wait. */
export async function faultyAnswer(
  faults: RequestFaults,
  { api, request }: Asked,
  { context, drop }: { readonly context: RequestContext; readonly drop: () => void },
): Promise<unknown> {
  await faults.wait()
  if (context.signal.aborted) return NO_RESPONSE
  const before = faults.before()
  if (before?.kind === 'error') return withOtherError(await refuse(api, request, context), before.errorCode)
  const answer = before ? NO_RESPONSE : await handleGuarded(api, request, context)
  const verdict = before ?? faults.after()
  if (!verdict) return answer
  if (verdict.kind === 'silence') {
    await verdict.over
    drop()
    return NO_RESPONSE
  }
  return answer === NO_RESPONSE ? answer : withError(api.name, answer, verdict.errorCode, verdict.place)
}
