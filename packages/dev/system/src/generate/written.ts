import { stringify } from 'yaml'

/** The first line of a file that is written as a whole. */
export const WRITTEN = 'Written by `pnpm generate` from system.ts: change that, not this.'

/** A value as YAML, without the end of its last line. */
export function yaml(entry: object): string {
  return stringify(entry, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}

/** A whole file of Kubernetes objects. */
export function writtenYaml(...objects: readonly object[]): string {
  return `# ${WRITTEN}\n${objects.map((object) => `${yaml(object)}\n`).join('---\n')}`
}
