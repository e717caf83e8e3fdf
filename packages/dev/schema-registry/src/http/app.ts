import { createHttpApp, type HttpApp, type Logger } from '@taproom/service'
import { Router } from 'express'
import type { Registry } from '../registry/registry.ts'
import { answer, requireAccepted } from './answer.ts'
import { compatibilityRoutes } from './compatibility-routes.ts'
import { errorAnswers, notFound } from './error-answers.ts'
import { schemaRoutes } from './schema-routes.ts'
import { settingRoutes } from './setting-routes.ts'
import { subjectRoutes } from './subject-routes.ts'

interface AppDeps {
  readonly registry: Registry
  readonly log: Logger
}

/** Confluent's REST API for a registry. */
export function createApp({ registry, log }: AppDeps): HttpApp {
  const api = Router({ caseSensitive: true })
  api.use(requireAccepted)
  api.get('/', (_req, res) => answer(res, {}))
  api.get('/contexts', (_req, res) => answer(res, ['.']))
  api.use(subjectRoutes(registry))
  api.use(schemaRoutes(registry))
  api.use(settingRoutes(registry))
  api.use(compatibilityRoutes(registry))
  api.use(notFound)
  api.use(errorAnswers(log))
  return createHttpApp({ log, routes: [api] })
}
