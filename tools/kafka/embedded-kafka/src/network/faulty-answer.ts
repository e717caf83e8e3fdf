import type { Api, RequestContext } from '../apis/definition/api.ts'
import { handleGuarded } from '../apis/guards/guards.ts'
import { refusedAnswer, WHOLE_APIS } from '../faults/refused-answer.ts'
import type { RequestFaults } from '../faults/request-faults.ts'

/** Answers a request about which rules have something to say. */
export async function faultyAnswer(
  faults: RequestFaults,
  { api, request }: { readonly api: Api; readonly request: unknown },
  context: RequestContext,
): Promise<unknown> {
  await faults.delay()
  // The other APIs look for themselves which of their partitions are meant.
  const errorCode = WHOLE_APIS.includes(api.name) ? faults.refusal() : undefined
  return errorCode === undefined
    ? handleGuarded(api, request, context)
    : refusedAnswer(api.name, { request, version: context.version, errorCode })
}
