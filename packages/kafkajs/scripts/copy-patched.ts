import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CopyPatchedOptions {
  /** The installed kafkajs. */
  readonly from: string
  /** The changes it must have, as git writes them. */
  readonly patch: string
  readonly to: string
}

/** The only version that the patch was written for and tested with. */
const KNOWN_VERSION = '2.2.4'
const COPIED = ['src', 'types', 'index.js', 'LICENSE']
/** Of its package.json: what it is, by which scanners of installed files know it, and nothing to run. */
const KEPT_FIELDS = ['name', 'version', 'description', 'author', 'main', 'types', 'license', 'homepage', 'repository']

/**
 * Copies a kafkajs that has exactly the changes of the patch, with its licence.
 *
 * @throws {Error} when it is another version, or a patched file is not what the patch makes of it
 */
export async function copyPatched({ from, patch, to }: CopyPatchedOptions): Promise<void> {
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
  if (manifest['version'] !== KNOWN_VERSION) {
    throw new Error(`kafkajs is ${manifest['version']}, and ${patch} is for ${KNOWN_VERSION}: see CONTRIBUTING.md`)
  }
  const wrong = await differing(from, patchedFiles(await readFile(patch, 'utf8')))
  if (wrong.length > 0) throw new Error(`of kafkajs these files are not as ${patch} makes them: ${wrong.join(', ')}`)
  await mkdir(to, { recursive: true })
  for (const name of COPIED) await cp(join(from, name), join(to, name), { recursive: true })
  const kept = Object.fromEntries(KEPT_FIELDS.map((field) => [field, manifest[field]]))
  await writeFile(join(to, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
}

/** Each file that the patch changes, and git's name for its content after that. */
function patchedFiles(patch: string) {
  const files = [
    ...patch.matchAll(/^diff --git a\/(\S+) b\/\1\n(?:new file mode \d+\n)?index [0-9a-f]{40}\.\.([0-9a-f]{40})\b/gm),
  ]
  if (files.length === 0 || files.length !== patch.match(/^diff /gm)?.length) {
    throw new Error('the patch must name the full hash of every file that it changes')
  }
  return files.map(([, path = '', blob = '']) => ({ path, blob }))
}

async function differing(folder: string, files: ReturnType<typeof patchedFiles>): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const { path, blob } of files) {
    const bytes = await readFile(join(folder, path)).catch(() => Buffer.alloc(0))
    const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    if (hash !== blob) wrong.push(path)
  }
  return wrong
}
