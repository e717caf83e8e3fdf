import { isJsonObject } from '@taproom/core/limits'

/** Names of claims, each a member of the one before; at the last one are roles. */
export type RolePath = readonly string[]

export const ROLE_PATHS_EXPECTED =
  'paths of claim names such as realm_access/roles or "https://example.com/roles", comma separated; a name with / , or blanks in double quotes'

/** A separator between two quotes belongs to a name. */
const COMMA = outsideQuotes(',')
const SLASH = outsideQuotes('/')

export function splitRolePaths(text: string): readonly string[] {
  return text.split(COMMA).map((path) => path.trim())
}

/** Reads a path, as SmallRye JWT has it: names separated by slashes, in double quotes where a name has one itself. Undefined if malformed. */
export function parseRolePath(path: string): RolePath | undefined {
  const names = path.split(SLASH)
  if (!names.every((name) => /^(?:"[^"]+"|[^"\s,]+)$/.test(name))) return undefined
  return names.map((name) => name.replaceAll('"', ''))
}

/**
 * The roles in the list `groups` and at the paths, each once. A path leads to a list of texts or to a text with roles separated by blanks,
 * as `scope` is. Another type of claim gives no roles.
 */
export function rolesAt(claims: Readonly<Record<string, unknown>>, paths: readonly RolePath[]): readonly string[] {
  return [...new Set([...listedRoles(claims['groups']), ...paths.flatMap((path) => rolesIn(claimAt(claims, path)))])]
}

function rolesIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter((role) => role !== '') : listedRoles(value)
}

function listedRoles(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((role) => typeof role === 'string') ? value : []
}

function claimAt(claims: unknown, path: RolePath): unknown {
  return path.reduce<unknown>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    claims,
  )
}

function outsideQuotes(separator: string): RegExp {
  return new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`)
}
