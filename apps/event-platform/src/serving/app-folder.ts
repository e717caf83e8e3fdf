import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { currentBundle } from '@taproom/processes'

export interface App {
  readonly app: string
  readonly folder: string
  readonly main: string
}

/** An app and its main file, or why there is none. */
export type AppReference = App | { readonly problem: string }

/** In an app's folder. */
const BUNDLE = 'dist/bundle'

/** A second platform would take this one's events, and open another resource API. */
const PLATFORM = 'event-platform'

/** Sources in the repository, a bundle in an image, or compiled files. */
const MAINS = ['src/main.ts', `${BUNDLE}/main.cjs`, 'dist/main.js']

/**
 * An image stands for an app of this repository: the first argument names it (one image holds several apps), else the last component of the
 * image's path, without registry, tag and digest.
 */
export function findApp(container: { image: string; args: readonly string[] }, appsDir: string): AppReference {
  const app = container.args[0] ?? before(':', before('@', container.image).split('/').at(-1) ?? '')
  if (!/^[a-z0-9-]+$/.test(app)) return { problem: `"${app}" is not the name of an app (a-z, 0-9 and -)` }
  if (app === PLATFORM) return { problem: `"${PLATFORM}" runs services and is none` }
  const folder = join(appsDir, app)
  const main = MAINS.map((file) => join(folder, file)).find((file) => existsSync(file))
  if (main === undefined) return { problem: `there is no app "${app}" to run for image "${container.image}"` }
  return { app, folder, main }
}

/** The bundle to run instead of an app's main file, if it is of the sources as they are now. */
export function bundleOf({ folder, main }: Pick<App, 'folder' | 'main'>): string | undefined {
  return main.endsWith('.ts') ? currentBundle(join(folder, BUNDLE), folder) : undefined
}

/** The text up to a mark, or all of it. */
function before(mark: string, text: string): string {
  return text.split(mark, 1)[0] ?? ''
}
