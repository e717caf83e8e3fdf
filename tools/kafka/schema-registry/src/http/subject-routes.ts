import { type Request, Router } from 'express'
import type { Registry } from '../registry/registry.ts'
import type { Filter } from '../store/registry-state.ts'
import { answer, answerText, methodNotAllowed } from './answer.ts'
import { flag, page, readSchemaRequest, subjectOf, text, versionOf } from './request.ts'
import { registrationAnswer, versionAnswer } from './schema-answer.ts'

/** `/subjects` and all below it. */
export function subjectRoutes(registry: Registry): Router {
  const router = Router({ caseSensitive: true })
  const { state } = registry

  router
    .route('/subjects')
    .get((req, res) => {
      const prefix = withoutContext(text(req, 'subjectPrefix') ?? '')
      const names = state.subjects(filter(req)).filter((name) => name.startsWith(prefix))
      answer(res, page(req, names))
    })
    .all(methodNotAllowed)

  router
    .route('/subjects/:subject')
    .post(async (req, res) => {
      const request = await readSchemaRequest(req)
      const options = { normalize: flag(req, 'normalize'), deleted: flag(req, 'deleted') }
      answer(res, versionAnswer(registry.lookUp(subjectOf(req), request, options)))
    })
    .delete(async (req, res) => {
      answer(res, await registry.deleteSubject(subjectOf(req), flag(req, 'permanent')))
    })
    .all(methodNotAllowed)

  router
    .route('/subjects/:subject/versions')
    .get((req, res) => {
      const subject = subjectOf(req)
      const { deleted } = filter(req)
      registry.requireSubject(subject, deleted !== 'active')
      const versions = state.versions(subject, { deleted })
      answer(
        res,
        page(
          req,
          versions.map(({ version }) => version),
        ),
      )
    })
    .post(async (req, res) => {
      const request = await readSchemaRequest(req)
      answer(res, registrationAnswer(await registry.register(subjectOf(req), request, flag(req, 'normalize'))))
    })
    .all(methodNotAllowed)

  addVersionRoutes(router, registry)
  return router
}

/** `/subjects/{subject}/versions/{version}` and what is below it. */
function addVersionRoutes(router: Router, registry: Registry): void {
  const found = (req: Request, deleted = flag(req, 'deleted')) =>
    registry.version(subjectOf(req), versionOf(req), { deleted })

  router
    .route('/subjects/:subject/versions/:version')
    .get((req, res) => answer(res, versionAnswer(found(req))))
    .delete(async (req, res) => {
      answer(res, await registry.deleteVersion(subjectOf(req), versionOf(req), flag(req, 'permanent')))
    })
    .all(methodNotAllowed)

  router
    .route('/subjects/:subject/versions/:version/schema')
    .get((req, res) => answerText(res, found(req).schema))
    .all(methodNotAllowed)

  router
    .route('/subjects/:subject/versions/:version/referencedby')
    .get((req, res) => {
      const { subject, version } = found(req, true)
      const referrers = registry.state.referrers(subject, version)
      const counted = referrers.filter(({ deleted }) => !deleted || flag(req, 'deleted'))
      answer(res, page(req, [...new Set(counted.map(({ id }) => id))]))
    })
    .all(methodNotAllowed)
}

/** `deletedOnly` comes before `deleted`. */
function filter(req: Request): Required<Filter> {
  return { deleted: flag(req, 'deletedOnly') ? 'only' : flag(req, 'deleted') ? 'all' : 'active' }
}

/** `:*:` is all contexts and `:.:` the default one; there is no other. */
function withoutContext(prefix: string): string {
  return prefix.replace(/^:[*.]:/, '')
}
