import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { currentBundle } from '@taproom/processes'
import type { App } from './app-folder.ts'

const FOLDER = 'dist/bundle'

/** An app's bundle, if it is current. In an image, which has compiled files only, it was built together with them. */
export function bundleOf({ folder, main }: Pick<App, 'folder' | 'main'>): string | undefined {
  const bundles = join(folder, FOLDER)
  if (!main.endsWith('.js')) return currentBundle(bundles, folder)
  const built = join(bundles, 'main.cjs')
  return existsSync(built) ? built : undefined
}
