import { createWebGuard, type RequestHandler, sendProblem } from '@taproom/http'
import { createHttpApp, type HttpApp, type Logger } from '@taproom/service'
import { Router } from 'express'
import type { Registry } from '../registry/registry.ts'
import { answer, requireAccepted } from './answer.ts'
import { compatibilityRoutes } from './compatibility-routes.ts'
import { errorAnswers, notFound } from './error-answers.ts'
import { routerOf } from './routes.ts'
import { schemaRoutes } from './schema-routes.ts'
import { settingRoutes } from './setting-routes.ts'
import { subjectRoutes } from './subject-routes.ts'

interface AppDeps {
  readonly registry: Registry
  readonly log: Logger
  /** Names of this machine that requests may have as their Host, besides its own. */
  readonly names: readonly string[]
}

/** Confluent's REST API for a registry. */
export function createApp({ registry, log, names }: AppDeps): HttpApp {
  const api = Router({ caseSensitive: true })
  api.use(refusePages(names))
  api.use(requireAccepted)
  api.get('/', (_req, res) => answer(res, {}))
  api.get('/contexts', (_req, res) => answer(res, ['.']))
  for (const routesOf of [subjectRoutes, schemaRoutes, settingRoutes, compatibilityRoutes]) {
    api.use(routerOf(routesOf(registry)))
  }
  api.use(notFound)
  api.use(errorAnswers(log))
  return createHttpApp({ log, routes: [api] })
}

/** A problem for people who look, with the two members that clients of a registry read. */
function refusePages(names: AppDeps['names']): RequestHandler {
  const pages = createWebGuard({ names, namesFrom: 'SCHEMA_REGISTRY_ALLOWED_HOSTS' })
  return (req, res, next) => {
    const refusal = pages.refusal(req)
    if (refusal === undefined) return next()
    req.resume()
    const { status, detail } = refusal
    sendProblem(res, { ...refusal, members: { error_code: status, message: detail } })
  }
}
