import { readFile } from 'node:fs/promises'
import { withClaimedHeaders } from './claimed-headers.ts'

/** The same place as seen from `src/generate` and from `dist/generate`. */
const MANIFESTS = new URL('../../manifests/', import.meta.url)

/** A file that every system has, with the name of this one. */
export async function manifest(path: string, projectName: string): Promise<string> {
  return withClaimedHeaders((await readFile(new URL(path, MANIFESTS), 'utf8')).replaceAll('system-name', projectName))
}
