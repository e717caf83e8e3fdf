import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Log } from '@taproom/core/lines'
import { createWebGuard, sendProblem } from '@taproom/http'
import { RegistryError } from '../errors.ts'
import type { Registry } from '../registry/registry.ts'
import { answer, requireAccepted } from './answer.ts'
import { compatibilityRoutes } from './compatibility-routes.ts'
import { answerError } from './error-answers.ts'
import { leaveContext } from './request.ts'
import { handlerOf } from './routes.ts'
import { schemaRoutes } from './schema-routes.ts'
import { settingRoutes } from './setting-routes.ts'
import { subjectRoutes } from './subject-routes.ts'

interface AppDeps {
  readonly registry: Registry
  readonly log: Log
  /** Names of this machine that requests may have as their Host, besides its own. */
  readonly names: readonly string[]
  /** The option that adds to them; the refusal of another Host names it. */
  readonly namesFrom: string
}

/** Confluent's REST API for a registry. */
export function createApp({ registry, log, names, namesFrom }: AppDeps): RequestListener {
  const pages = createWebGuard({ names, namesFrom })
  const serve = handlerOf({
    '/': { get: (_req, res) => answer(res, {}) },
    '/contexts': { get: (_req, res) => answer(res, registry.state.contexts) },
    ...subjectRoutes(registry),
    ...schemaRoutes(registry),
    ...settingRoutes(registry),
    ...compatibilityRoutes(registry),
  })
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    requireAccepted(req)
    leaveContext(req)
    await serve(req, res, () => {
      throw new RegistryError(404, 'HTTP 404 Not Found')
    })
  }
  return (req, res) => {
    const refusal = pages.refusal(req)
    if (refusal === undefined) handle(req, res).catch((error: unknown) => answerError(error, req, res, log))
    else refusePage(req, res, refusal)
  }
}

/** A problem for people who look, with the two members that clients of a registry read. */
function refusePage(req: IncomingMessage, res: ServerResponse, refusal: Parameters<typeof sendProblem>[1]): void {
  req.resume()
  const { status, detail } = refusal
  sendProblem(res, { ...refusal, members: { error_code: status, message: detail } })
}
