import type { RoutedRequest } from '@taproom/http'
import { refusals } from '../errors.ts'
import type { Registry } from '../registry/registry.ts'
import { bytesOf, type SchemaVersion } from '../store/records.ts'
import { contextOf, DEFAULT_CONTEXT, hasPrefix, inContext, nameOf } from '../store/subject-name.ts'
import { answer, answerText } from './answer.ts'
import { contextIn, flag, idOf, page, paramOf, prefixOf, qualified, schemaIn, text } from './request.ts'
import type { Routes } from './routes.ts'
import { schemaAnswer, versionAnswer } from './schema-answer.ts'

/** Bytes of versions in one answer of `/schemas`; the rest is for further pages. */
const PAGE_BYTES = 8 * 1024 * 1024
const PAGE_VERSIONS = 1000

/** `/schemas` and all below it. */
export function schemaRoutes(registry: Registry): Routes {
  const { state } = registry
  const withId = (req: RoutedRequest): readonly [SchemaVersion, ...SchemaVersion[]] => {
    const id = idOf(req)
    const [first, ...others] =
      contextsFor(req)
        .map((context) => state.withId(context, id))
        .find(({ length }) => length > 0) ?? []
    if (first === undefined) throw refusals.schemaNotFound(id)
    return [first, ...others]
  }
  /** A subject without a context is looked for in all of them, where the default one does not have it. */
  const contextsFor = (req: RoutedRequest): readonly string[] => {
    const subject = qualified(req, text(req, 'subject') ?? '')
    const context = contextOf(subject)
    if (context !== DEFAULT_CONTEXT || subject === '') return [context]
    const having = state.contexts.filter(
      (each) => state.versions(inContext(each, subject), { deleted: 'all' }).length > 0,
    )
    return [context, ...having.filter((each) => each !== context)]
  }
  const listed = (req: RoutedRequest) => {
    const name = nameOf(text(req, 'subject') ?? '')
    return withId(req).filter(
      (each) => (!each.deleted || flag(req, 'deleted')) && (name === '' || nameOf(each.subject) === name),
    )
  }
  const rows = (req: RoutedRequest) => listed(req).map(({ subject, version }) => ({ subject, version }))

  return {
    '/schemas': {
      get(req, res) {
        const subjects = state.subjects({ deleted: 'all' })
        const named = subjects.filter((name) => hasPrefix(name, prefixOf(req)))
        const versions = named.flatMap((name) => {
          const all = state.versions(name, { deleted: flag(req, 'deleted') ? 'all' : 'active' })
          return flag(req, 'latestOnly') ? all.slice(-1) : all
        })
        answer(
          res,
          fitting(page(req, versions)).map((version) => versionAnswer(version)),
        )
      },
    },
    '/schemas/types': { get: (_req, res) => answer(res, registry.parser.types) },
    '/schemas/guids/{guid}': {
      get(req, res) {
        const guid = paramOf(req, 'guid')
        const version = state.withGuid(guid).at(0)
        if (version === undefined) throw refusals.schemaNotFound(guid)
        answer(res, schemaAnswer(version, schemaIn(req, version, registry)))
      },
    },
    '/schemas/ids/{id}': {
      get(req, res) {
        const [version] = withId(req)
        const schema = schemaAnswer(version, schemaIn(req, version, registry))
        answer(res, { ...schema, ...(flag(req, 'fetchMaxId') && { maxId: state.highestId(contextIn(req)) }) })
      },
    },
    '/schemas/ids/{id}/schema': { get: (req, res) => answerText(res, schemaIn(req, withId(req)[0], registry)) },
    '/schemas/ids/{id}/subjects': {
      get: (req, res) => answer(res, page(req, [...new Set(listed(req).map(({ subject }) => subject))])),
    },
    '/schemas/ids/{id}/versions': { get: (req, res) => answer(res, page(req, rows(req))) },
  }
}

function fitting(versions: readonly SchemaVersion[]): readonly SchemaVersion[] {
  let bytes = 0
  const end = versions.findIndex((version, index) => {
    bytes += bytesOf(version)
    return index > 0 && (bytes > PAGE_BYTES || index >= PAGE_VERSIONS)
  })
  return end < 0 ? versions : versions.slice(0, end)
}
