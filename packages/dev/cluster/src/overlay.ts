import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from './kubectl.ts'

/** Where folders are that hold what tests add to the overlays; nothing in it is kept. */
const FOLDER = new URL('.taproom/cluster/', REPOSITORY)

/** Writes an overlay that adds something to the one for development, and gives its folder for `kubectl apply -k`. */
export async function developmentWith(name: string, additions: string): Promise<string> {
  const folder = new URL(`${name}/`, FOLDER)
  await mkdir(folder, { recursive: true })
  const overlays = '../../../deploy/kubernetes'
  const text = `namespace: taproom\nresources: [${overlays}/overlays/development]\n${additions.replaceAll('DEPLOY', overlays)}`
  await writeFile(new URL('kustomization.yaml', folder), text)
  return fileURLToPath(folder)
}
