import { readFileSync } from 'node:fs'

export const readme = readFileSync(new URL('../../src/fuzz/README.md', import.meta.url), 'utf8')

/** The arguments of each command of the README. */
export const readmeCommands: readonly (readonly string[])[] = [...readme.matchAll(/^ {4}pnpm fuzz (.*)$/gm)].map(
  ([, args = '']) => args.split(' '),
)

/** A row for the surface and one for all. */
export const TABLE = [
  /^surface +inputs +crashes +wrong +5xx +longest block +seed$/m,
  /^all +[1-9][\d,]* +\d+ +\d+ +\d+ +[\d.]+ ms +\d+$/m,
] as const
