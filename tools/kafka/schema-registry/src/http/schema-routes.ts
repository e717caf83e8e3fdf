import { type Request, Router } from 'express'
import { refusals } from '../errors.ts'
import type { Registry } from '../registry/registry.ts'
import type { SchemaVersion } from '../store/records.ts'
import { answer, answerText, methodNotAllowed } from './answer.ts'
import { flag, idOf, page, text } from './request.ts'
import { schemaAnswer, versionAnswer } from './schema-answer.ts'

/** Bytes of schemas in one answer of `/schemas`; the rest is for further pages. */
const PAGE_BYTES = 8 * 1024 * 1024
const PAGE_VERSIONS = 1000

/** `/schemas` and all below it. */
export function schemaRoutes(registry: Registry): Router {
  const router = Router({ caseSensitive: true })
  const { state } = registry
  const withId = (req: Request): readonly SchemaVersion[] => {
    const id = idOf(req)
    const versions = state.withId(id)
    if (versions.length === 0) throw refusals.schemaNotFound(id)
    return versions
  }
  const first = (req: Request) => {
    const [version] = withId(req)
    if (version === undefined) throw refusals.schemaNotFound(idOf(req))
    return version
  }
  const listed = (req: Request) => {
    const subject = text(req, 'subject')
    return withId(req).filter(
      (each) => (!each.deleted || flag(req, 'deleted')) && (subject === undefined || each.subject === subject),
    )
  }

  router
    .route('/schemas')
    .get((req, res) => {
      const subjects = state.subjects({ deleted: 'all' })
      const named = subjects.filter((name) => name.startsWith(text(req, 'subjectPrefix') ?? ''))
      const versions = named.flatMap((name) => {
        const all = state.versions(name, { deleted: flag(req, 'deleted') ? 'all' : 'active' })
        return flag(req, 'latestOnly') ? all.slice(-1) : all
      })
      answer(res, fitting(page(req, versions)).map(versionAnswer))
    })
    .all(methodNotAllowed)

  router
    .route('/schemas/types')
    .get((_req, res) => answer(res, registry.parser.types))
    .all(methodNotAllowed)

  router
    .route('/schemas/guids/:guid')
    .get((req, res) => {
      const { guid } = req.params
      const version = state.withGuid(guid).at(0)
      if (version === undefined) throw refusals.schemaNotFound(guid)
      answer(res, schemaAnswer(version))
    })
    .all(methodNotAllowed)

  router
    .route('/schemas/ids/:id')
    .get((req, res) => {
      const schema = schemaAnswer(first(req))
      answer(res, { ...schema, ...(flag(req, 'fetchMaxId') && { maxId: state.highestId }) })
    })
    .all(methodNotAllowed)

  router
    .route('/schemas/ids/:id/schema')
    .get((req, res) => answerText(res, first(req).schema))
    .all(methodNotAllowed)

  router
    .route('/schemas/ids/:id/subjects')
    .get((req, res) => answer(res, page(req, [...new Set(listed(req).map(({ subject }) => subject))])))
    .all(methodNotAllowed)

  router
    .route('/schemas/ids/:id/versions')
    .get((req, res) =>
      answer(
        res,
        page(
          req,
          listed(req).map(({ subject, version }) => ({ subject, version })),
        ),
      ),
    )
    .all(methodNotAllowed)
  return router
}

function fitting(versions: readonly SchemaVersion[]): readonly SchemaVersion[] {
  let bytes = 0
  const end = versions.findIndex(({ schema }, index) => {
    bytes += schema.length
    return index > 0 && (bytes > PAGE_BYTES || index >= PAGE_VERSIONS)
  })
  return end < 0 ? versions : versions.slice(0, end)
}
