import { constraintViolation } from '@taproom/database'
import { methodNotAllowed, sendJson } from '@taproom/http'
import { requireRole } from '@taproom/jwt'
import { HttpProblem, validBody, validParams, validQuery } from '@taproom/service'
import express, { type RequestHandler, Router } from 'express'
import { ROLE } from './config.ts'
import { idSchema, newTemplateItemSchema, pageSchema } from './template-item-schema.ts'
import type { TemplateItemStore } from './template-item-store.ts'

export interface TemplateItemRoutesOptions {
  // begin jwt
  /** Refuses requests without an accepted token that has the configured scopes. */
  readonly authenticated: readonly RequestHandler[]
  // end
  readonly store: Pick<TemplateItemStore, 'add' | 'find' | 'list'>
}

/** `/template-app` and `/template-app/{id}`. */
export function templateItemRoutes({
  /* begin jwt */ authenticated,
  /* end */ store,
}: TemplateItemRoutesOptions): Router {
  const router = Router({ caseSensitive: true })
  // begin jwt
  const allowed: RequestHandler[] = [...authenticated, requireRole(ROLE)]
  // end
  router
    .route('/template-app')
    .get(
      /* begin jwt */ ...allowed,
      /* end */ async (req, res) => {
        const page = validQuery(req, pageSchema)
        const found = await store.list(page)
        const items = found.slice(0, page.limit)
        const next = `/template-app?limit=${page.limit}&after=${items.at(-1)?.id}`
        sendJson(res, 200, { items, ...(found.length > items.length && { next }) })
      },
    )
    .post(/* begin jwt */ ...allowed, /* end */ express.json({ limit: '16kb' }), async (req, res) => {
      const added = await store.add(validBody(req, newTemplateItemSchema)).catch(refused)
      res.setHeader('Location', `/template-app/${added.id}`)
      sendJson(res, 201, added)
    })
    .all(methodNotAllowed('GET', 'HEAD', 'POST'))
  router
    .route('/template-app/:id')
    .get(
      /* begin jwt */ ...allowed,
      /* end */ async (req, res) => {
        const { id } = validParams(req, idSchema)
        const item = await store.find(id)
        if (item === undefined) throw new HttpProblem(404, { detail: `template-item ${id} is not found` })
        sendJson(res, 200, item)
      },
    )
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}

function refused(cause: unknown): never {
  if (constraintViolation(cause) !== 'unique') throw cause
  const errors = [{ pointer: '#/name', detail: 'another template-item has this name' }]
  throw new HttpProblem(409, { detail: 'the template-item conflicts with another one', members: { errors }, cause })
}
