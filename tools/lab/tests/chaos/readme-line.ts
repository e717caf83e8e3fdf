import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../src/chaos/README.md', import.meta.url), 'utf8')

/** The arguments that the README shows for a run. */
export function readmeArguments(run: string): readonly string[] {
  const [, rest] = new RegExp(`^ {4}pnpm chaos ${run} (.+)$`, 'm').exec(readme) ?? []
  if (rest === undefined) throw new Error(`the README shows no pnpm chaos ${run}`)
  return rest.split(' ')
}
