import type { Operation, ResourceType } from '../../security/acl/acl.ts'
import { type Answer, type Api, type Definition, NO_RESPONSE, type RequestContext } from '../definition/api.ts'
import { isAllowed } from '../definition/authorized-operations.ts'

/** Whether the client may do this; the cluster needs no name. */
export type May = (operation: Operation, type: ResourceType, name?: string) => boolean

/** Stands before the handler of an API where there is an authorizer. */
export interface Guard {
  readonly key: number
  handle(request: unknown, context: RequestContext): unknown
}

interface Asked<Request, Response> {
  readonly may: May
  readonly context: RequestContext
  /** Hands a request on to the handler, perhaps less than what came. */
  handle(request: Request): Promise<Response>
}

/** Guards an API: `check` answers what the client may not have, and hands the rest on. */
export function guardOf<Request, Response>(
  api: Definition<Request, Response>,
  check: (request: Request, asked: Asked<Request, Response>) => Response | Promise<Response>,
): Guard {
  return {
    key: api.key,
    async handle(given, context) {
      const may: May = (operation, type, name) => isAllowed(context, operation, type, name)
      let isSilent = false
      const handle = async (request: Request): Promise<Response> => {
        const answer = (await api.handle(request, context)) as Answer<Response>
        if (answer !== NO_RESPONSE) return answer
        isSilent = true
        throw NO_RESPONSE
      }
      try {
        return await check(given as Request, { may, context, handle })
      } catch (error) {
        if (isSilent) return NO_RESPONSE
        throw error
      }
    },
  }
}

/** Guards an API that needs this operation on the cluster; without it the answer is `refuse`. */
export function forCluster<Request, Response>(
  api: Definition<Request, Response>,
  operation: Operation,
  refuse: (request: Request) => NoInfer<Response>,
): Guard {
  return guardOf(api, (request, { may, handle }) => (may(operation, 'CLUSTER') ? handle(request) : refuse(request)))
}

/** Guards an API that reads as a member of a group; where the client may not, the answer is `refuse`. */
export function forGroup<Request extends { readonly groupId: string | null }, Response>(
  api: Definition<Request, Response>,
  refuse: (request: Request) => NoInfer<Response>,
): Guard {
  return guardOf(api, (request, { may, handle }) =>
    may('READ', 'GROUP', request.groupId ?? '') ? handle(request) : refuse(request),
  )
}

/** An API that everybody may use. */
export function open(api: Api): Guard {
  return { key: api.key, handle: (request, context) => api.handle(request, context) }
}

/** Those that are allowed, and the others. */
export function split<T>(items: readonly T[], isFine: (item: T) => boolean): { allowed: T[]; refused: T[] } {
  return { allowed: items.filter(isFine), refused: items.filter((item) => !isFine(item)) }
}
