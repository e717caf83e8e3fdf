import { mkdir, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APPS, REPOSITORY } from '../harness/apps.ts'

/** Where folders are that hold what tests add to the overlays; nothing in it is kept. */
const FOLDER = new URL('.taproom/cluster/', REPOSITORY)

const TWO = [APPS.claims, APPS.films, APPS.stream, APPS.prices]

/** Two of each that may be two. Streams wait for beers that are late on a busy machine, instead of ending all at once. */
export const TWO_OF_EACH = `
namespace: taproom
replicas:
${TWO.map((name) => `  - {name: ${name}, count: 2}\n`).join('')}configMapGenerator:
  - {name: ${APPS.stream}, behavior: merge, literals: [BEER_ITEM_WAIT_GRACE_MS=10000]}
`

export interface Addition {
  readonly files?: Readonly<Record<string, string>>
  /** A checkout whose overlay it is. Default: this one. */
  readonly checkout?: string
}

/**
 * Writes an overlay that adds something to one of `deploy/kubernetes/overlays`, and gives its folder for `kubectl apply -k`; `DEPLOY` stands
 * for `deploy/kubernetes`.
 */
export async function overlayWith(
  name: string,
  overlay: string,
  additions: string,
  addition: Addition = {},
): Promise<string> {
  return kustomization(name, `resources: [DEPLOY/overlays/${overlay}]\n${additions}`, addition)
}

/** Writes a kustomization with nothing in it but what it says; else as {@link overlayWith}. */
export async function kustomization(
  name: string,
  text: string,
  { files = {}, checkout = fileURLToPath(REPOSITORY) }: Addition = {},
): Promise<string> {
  const folder = fileURLToPath(new URL(`${name}/`, FOLDER))
  await mkdir(folder, { recursive: true })
  // kustomize takes no absolute path.
  const deploy = `${relative(folder, checkout)}/deploy/kubernetes`
  for (const [file, content] of Object.entries({ ...files, 'kustomization.yaml': text }))
    await writeFile(`${folder}${file}`, content.replaceAll('DEPLOY', deploy))
  return folder
}
