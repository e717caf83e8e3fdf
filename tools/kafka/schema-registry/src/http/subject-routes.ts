import type { RoutedRequest } from '@taproom/http'
import type { Registry } from '../registry/registry.ts'
import type { Filter } from '../store/registry-state.ts'
import { hasPrefix } from '../store/subject-name.ts'
import { answer, answerText } from './answer.ts'
import { flag, page, prefixOf, readSchemaRequest, schemaIn, subjectOf, texts, versionOf } from './request.ts'
import type { Routes } from './routes.ts'
import { registrationAnswer, versionAnswer } from './schema-answer.ts'

/** `/subjects` and all below it. */
export function subjectRoutes(registry: Registry): Routes {
  const { state } = registry
  const found = (req: RoutedRequest, deleted = flag(req, 'deleted')) =>
    registry.version(subjectOf(req), versionOf(req), { deleted })
  return {
    '/subjects': {
      get(req, res) {
        const prefix = prefixOf(req)
        const names = state.subjects(filter(req)).filter((name) => hasPrefix(name, prefix))
        answer(res, page(req, names))
      },
    },
    '/subjects/{subject}': {
      async post(req, res) {
        const request = await readSchemaRequest(req)
        const options = { normalize: flag(req, 'normalize'), deleted: flag(req, 'deleted') }
        const version = registry.lookUp(subjectOf(req), request, options)
        answer(res, versionAnswer(version, schemaIn(req, version, registry)))
      },
      async delete(req, res) {
        answer(res, await registry.deleteSubject(subjectOf(req), flag(req, 'permanent')))
      },
    },
    '/subjects/{subject}/metadata': {
      get(req, res) {
        const [keys, values] = [texts(req, 'key'), texts(req, 'value')]
        const wanted = keys.map((key, index) => [key, values[index] ?? ''] as const)
        const version = registry.latestWith(subjectOf(req), wanted, flag(req, 'deleted'))
        answer(res, versionAnswer(version, schemaIn(req, version, registry)))
      },
    },
    '/subjects/{subject}/versions': {
      get(req, res) {
        const subject = subjectOf(req)
        const { deleted } = filter(req)
        registry.requireSubject(subject, deleted !== 'active')
        const numbers = state.versions(subject, { deleted }).map(({ version }) => version)
        answer(res, page(req, numbers))
      },
      async post(req, res) {
        const request = await readSchemaRequest(req)
        const version = await registry.register(subjectOf(req), request, flag(req, 'normalize'))
        answer(res, registrationAnswer(version, schemaIn(req, version, registry)))
      },
    },
    '/subjects/{subject}/versions/{version}': {
      get(req, res) {
        const version = found(req)
        answer(res, versionAnswer(version, schemaIn(req, version, registry)))
      },
      async delete(req, res) {
        answer(res, await registry.deleteVersion(subjectOf(req), versionOf(req), flag(req, 'permanent')))
      },
    },
    '/subjects/{subject}/versions/{version}/schema': {
      get: (req, res) => answerText(res, schemaIn(req, found(req), registry)),
    },
    '/subjects/{subject}/versions/{version}/referencedby': {
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
function filter(req: RoutedRequest): Required<Filter> {
  return { deleted: flag(req, 'deletedOnly') ? 'only' : flag(req, 'deleted') ? 'all' : 'active' }
}
