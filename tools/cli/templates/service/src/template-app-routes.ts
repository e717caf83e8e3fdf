import { methodNotAllowed, sendJson } from '@taproom/http'
import { requireRole } from '@taproom/jwt'
import { type RequestHandler, Router } from 'express'
import { ROLE } from './config.ts'

// begin jwt
export interface TemplateAppRoutesOptions {
  /** Refuses requests without an accepted token that has the configured scopes. */
  readonly authenticated: readonly RequestHandler[]
}
// end

/** `GET /template-app`. */
export function templateAppRoutes(/* begin jwt */ { authenticated }: TemplateAppRoutesOptions /* end */): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/template-app')
    .get(
      /* begin jwt */ ...authenticated,
      requireRole(ROLE),
      /* end */ (_req, res) => {
        sendJson(res, 200, { greeting: 'Hello' })
      },
    )
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}
