import type { Request } from 'express'
import type { Registry } from '../registry/registry.ts'
import type { Filter } from '../store/registry-state.ts'
import { answer, answerText } from './answer.ts'
import { flag, page, readSchemaRequest, subjectOf, text, versionOf } from './request.ts'
import type { Routes } from './routes.ts'
import { registrationAnswer, versionAnswer } from './schema-answer.ts'

/** `/subjects` and all below it. */
export function subjectRoutes(registry: Registry): Routes {
  const { state } = registry
  const found = (req: Request, deleted = flag(req, 'deleted')) =>
    registry.version(subjectOf(req), versionOf(req), { deleted })
  return {
    '/subjects': {
      get(req, res) {
        const prefix = withoutContext(text(req, 'subjectPrefix') ?? '')
        const names = state.subjects(filter(req)).filter((name) => name.startsWith(prefix))
        answer(res, page(req, names))
      },
    },
    '/subjects/:subject': {
      async post(req, res) {
        const request = await readSchemaRequest(req)
        const options = { normalize: flag(req, 'normalize'), deleted: flag(req, 'deleted') }
        answer(res, versionAnswer(registry.lookUp(subjectOf(req), request, options)))
      },
      async delete(req, res) {
        answer(res, await registry.deleteSubject(subjectOf(req), flag(req, 'permanent')))
      },
    },
    '/subjects/:subject/versions': {
      get(req, res) {
        const subject = subjectOf(req)
        const { deleted } = filter(req)
        registry.requireSubject(subject, deleted !== 'active')
        const numbers = state.versions(subject, { deleted }).map(({ version }) => version)
        answer(res, page(req, numbers))
      },
      async post(req, res) {
        const request = await readSchemaRequest(req)
        answer(res, registrationAnswer(await registry.register(subjectOf(req), request, flag(req, 'normalize'))))
      },
    },
    '/subjects/:subject/versions/:version': {
      get: (req, res) => answer(res, versionAnswer(found(req))),
      async delete(req, res) {
        answer(res, await registry.deleteVersion(subjectOf(req), versionOf(req), flag(req, 'permanent')))
      },
    },
    '/subjects/:subject/versions/:version/schema': { get: (req, res) => answerText(res, found(req).schema) },
    '/subjects/:subject/versions/:version/referencedby': {
      get(req, res) {
        const { subject, version } = found(req, true)
        const referrers = state.referrers(subject, version)
        const counted = referrers.filter(({ deleted }) => !deleted || flag(req, 'deleted'))
        answer(res, page(req, [...new Set(counted.map(({ id }) => id))]))
      },
    },
  }
}

/** `deletedOnly` comes before `deleted`. */
function filter(req: Request): Required<Filter> {
  return { deleted: flag(req, 'deletedOnly') ? 'only' : flag(req, 'deleted') ? 'all' : 'active' }
}

/** `:*:` is all contexts and `:.:` the default one; there is no other. */
function withoutContext(prefix: string): string {
  return prefix.replace(/^:[*.]:/, '')
}
