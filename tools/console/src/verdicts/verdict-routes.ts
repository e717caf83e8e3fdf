import { HttpProblem } from '@taproom/service'
import type { Verdicts } from '../api/verdicts.ts'
import { optional, readQuery, text } from '../http/fields.ts'
import { sendView } from '../http/live.ts'
import type { Routes } from '../http/route.ts'
import { closeNames } from './close-names.ts'
import type { CollectedVerdicts } from './collect.ts'

const LIVE_MS = 2000
const MAX_NAME = 400

interface VerdictDeps {
  verdicts(): Promise<CollectedVerdicts>
  /** Undefined in a system without Kafka. */
  readonly listTopics: (() => Promise<readonly string[]>) | undefined
}

/** Why parts of the system are not well. */
export function verdictRoutes({ verdicts, listTopics }: VerdictDeps): Routes {
  const read = async (name: string | undefined): Promise<Verdicts> => {
    const { parts, items, unknown } = await verdicts()
    if (name === undefined || name === '') return { items, unknown }
    const found = named({ parts, items, unknown }, name)
    if (found !== undefined) return found
    // Topics without traffic are known to Kafka alone, which may be away.
    const topics = (await listTopics?.().catch(() => [])) ?? []
    const all = [...parts, ...topics.map((topic) => `topic/${topic}`)]
    return named({ parts: all, items, unknown }, name) ?? refuse(name, [...all, ...items.map(({ part }) => part)])
  }
  return {
    'GET /api/verdicts': (asked) => {
      const { name } = readQuery(asked.query, { name: optional(text({ max: MAX_NAME })) })
      return sendView(asked, { read: () => read(name), everyMs: LIVE_MS })
    },
  }
}

/** The verdicts of the parts with a name; undefined when no part has it. */
function named({ parts, items, unknown }: CollectedVerdicts, name: string): Verdicts | undefined {
  const isIts = (part: string) =>
    part === name || part.slice(part.indexOf('/') + 1) === name || part.endsWith(`/${name}`)
  const own = [...new Set([...parts, ...items.map(({ part }) => part)])].filter(isIts)
  if (own.length === 0) return undefined
  return { parts: own, items: items.filter(({ part, affects = [] }) => [part, ...affects].some(isIts)), unknown }
}

/** @throws {HttpProblem} 404, with names that are close */
function refuse(name: string, known: readonly string[]): never {
  const close = closeNames(name, new Set(known.map((part) => part.replace(/^.*\//, ''))))
  const detail = `no part of the system has the name ${name}${close.length === 0 ? '' : `; close names: ${close.join(', ')}`}`
  throw new HttpProblem(404, { detail, members: { close } })
}
