import type { Request } from 'express'
import { refusals } from '../errors.ts'
import type { Registry } from '../registry/registry.ts'
import type { SchemaVersion } from '../store/records.ts'
import { answer, answerText } from './answer.ts'
import { flag, idOf, page, text } from './request.ts'
import type { Routes } from './routes.ts'
import { schemaAnswer, versionAnswer } from './schema-answer.ts'

/** Bytes of schemas in one answer of `/schemas`; the rest is for further pages. */
const PAGE_BYTES = 8 * 1024 * 1024
const PAGE_VERSIONS = 1000

/** `/schemas` and all below it. */
export function schemaRoutes(registry: Registry): Routes {
  const { state } = registry
  const withId = (req: Request): readonly [SchemaVersion, ...SchemaVersion[]] => {
    const id = idOf(req)
    const [first, ...others] = state.withId(id)
    if (first === undefined) throw refusals.schemaNotFound(id)
    return [first, ...others]
  }
  const listed = (req: Request) => {
    const subject = text(req, 'subject')
    return withId(req).filter(
      (each) => (!each.deleted || flag(req, 'deleted')) && (subject === undefined || each.subject === subject),
    )
  }
  const rows = (req: Request) => listed(req).map(({ subject, version }) => ({ subject, version }))

  return {
    '/schemas': {
      get(req, res) {
        const subjects = state.subjects({ deleted: 'all' })
        const named = subjects.filter((name) => name.startsWith(text(req, 'subjectPrefix') ?? ''))
        const versions = named.flatMap((name) => {
          const all = state.versions(name, { deleted: flag(req, 'deleted') ? 'all' : 'active' })
          return flag(req, 'latestOnly') ? all.slice(-1) : all
        })
        answer(res, fitting(page(req, versions)).map(versionAnswer))
      },
    },
    '/schemas/types': { get: (_req, res) => answer(res, registry.parser.types) },
    '/schemas/guids/:guid': {
      get(req, res) {
        const guid = String(req.params['guid'])
        const version = state.withGuid(guid).at(0)
        if (version === undefined) throw refusals.schemaNotFound(guid)
        answer(res, schemaAnswer(version))
      },
    },
    '/schemas/ids/:id': {
      get(req, res) {
        const schema = schemaAnswer(withId(req)[0])
        answer(res, { ...schema, ...(flag(req, 'fetchMaxId') && { maxId: state.highestId }) })
      },
    },
    '/schemas/ids/:id/schema': { get: (req, res) => answerText(res, withId(req)[0].schema) },
    '/schemas/ids/:id/subjects': {
      get: (req, res) => answer(res, page(req, [...new Set(listed(req).map(({ subject }) => subject))])),
    },
    '/schemas/ids/:id/versions': { get: (req, res) => answer(res, page(req, rows(req))) },
  }
}

function fitting(versions: readonly SchemaVersion[]): readonly SchemaVersion[] {
  let bytes = 0
  const end = versions.findIndex(({ schema }, index) => {
    bytes += schema.length
    return index > 0 && (bytes > PAGE_BYTES || index >= PAGE_VERSIONS)
  })
  return end < 0 ? versions : versions.slice(0, end)
}
