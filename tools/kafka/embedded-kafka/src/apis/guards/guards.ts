import { MalformedFrameError } from '../../errors.ts'
import { API_VERSIONS } from '../../protocol/api-versions.ts'
import type { Api, RequestContext } from '../definition/api.ts'
import { clusterGuards } from './cluster-guards.ts'
import { groupGuards } from './group-guards.ts'
import type { Guard } from './guard.ts'
import { shareGuards } from './share-guards.ts'
import { topicGuards } from './topic-guards.ts'
import { transactionGuards } from './transaction-guards.ts'

/** Who may use which API, by its key. */
export const guards: ReadonlyMap<number, Guard> = new Map(
  [...topicGuards, ...groupGuards, ...shareGuards, ...transactionGuards, ...clusterGuards].map((guard) => [
    guard.key,
    guard,
  ]),
)

/** Answers a request, as far as the client may have it. An API without guard is closed where there is an authorizer. */
export async function handleGuarded(api: Api, request: unknown, context: RequestContext): Promise<unknown> {
  // What can be asked is no secret.
  if (!context.broker.authorizer || api.key === API_VERSIONS.ApiVersions.key) return await api.handle(request, context)
  const guard = guards.get(api.key)
  if (!guard) throw new MalformedFrameError(`${api.name} is not to be had with an authorizer`)
  return await guard.handle(request, context)
}

/** The answer for a client that is allowed nothing: the request is not carried out. An API that everybody may use is. */
export async function refuse(api: Api, request: unknown, context: RequestContext): Promise<unknown> {
  const authorizer = { allows: () => false, allowsAny: () => false }
  return await handleGuarded(api, request, { ...context, broker: { ...context.broker, authorizer } })
}
