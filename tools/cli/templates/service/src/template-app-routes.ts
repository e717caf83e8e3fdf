import { methodNotAllowed, sendJson } from '@taproom/http'
import { callerOf, requireRole } from '@taproom/jwt'
import { HttpProblem } from '@taproom/service'
import { type RequestHandler, Router } from 'express'
import type { Notes } from './notes.ts'
import type { Remote } from './remote.ts'

// begin jwt|notes|remote
export interface TemplateAppRoutesOptions {
  // begin jwt
  readonly authenticated: RequestHandler
  // end
  // begin notes
  readonly notes: Pick<Notes, 'list'>
  // end
  // begin remote
  readonly remote: Pick<Remote, 'fetch'>
  // end
}
// end

/** `GET /template-app`. */
export function templateAppRoutes(/* begin jwt|notes|remote */ options: TemplateAppRoutesOptions /* end */): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/template-app')
    .get(
      // begin jwt
      options.authenticated,
      requireRole('Subscriber'),
      // end
      /* begin notes|remote */ async /* end */ (_req, res) => {
        sendJson(res, 200, {
          greeting: 'Hello',
          // begin jwt
          caller: callerOf(res.req)?.name,
          // end
          // begin notes
          notes: await options.notes.list().catch(unavailable),
          // end
          // begin remote
          remote: (await options.remote.fetch().catch(unavailable)) ?? null,
          // end
        })
      },
    )
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}
// begin notes|remote

/** A part of the answer is away, for now. */
function unavailable(cause: unknown): never {
  throw new HttpProblem(503, { detail: 'something that is needed is away', headers: { 'Retry-After': '1' }, cause })
}
// end
