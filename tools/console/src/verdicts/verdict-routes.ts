import { HttpProblem } from '@taproom/service'
import type { Verdicts } from '../api/verdicts.ts'
import { optional, readQuery, text } from '../http/fields.ts'
import { sendView } from '../http/live.ts'
import type { Routes } from '../http/route.ts'
import { closeNames } from './close-names.ts'
import type { CollectedVerdicts } from './collect.ts'

const LIVE_MS = 2000
const MAX_NAME = 400

/** Why parts of the system are not well. */
export function verdictRoutes(read: () => Promise<CollectedVerdicts>): Routes {
  return {
    'GET /api/verdicts': (asked) => {
      const { name } = readQuery(asked.query, { name: optional(text({ max: MAX_NAME })) })
      return sendView(asked, { read: async () => named(await read(), name), everyMs: LIVE_MS })
    },
  }
}

/** @throws {HttpProblem} 404 for a name that no part has, with those that are close */
function named({ parts, items, unknown }: CollectedVerdicts, name: string | undefined): Verdicts {
  if (name === undefined || name === '') return { items, unknown }
  const isIts = (part: string) =>
    part === name || part.slice(part.indexOf('/') + 1) === name || part.endsWith(`/${name}`)
  const known = [...parts, ...items.map(({ part }) => part)]
  if (known.some(isIts))
    return { items: items.filter(({ part, affects = [] }) => [part, ...affects].some(isIts)), unknown }
  const close = closeNames(name, new Set(known.map((part) => part.replace(/^.*\//, ''))))
  const detail = `nothing here is called ${name}${close.length === 0 ? '' : `; close names: ${close.join(', ')}`}`
  throw new HttpProblem(404, { detail, members: { close } })
}
