import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Which app an image and its arguments stand for and what runs it, or why none. */
export type AppReference =
  | { readonly app: string; readonly folder: string; readonly main: string }
  | { readonly problem: string }

/** A second platform would take the events of this one, and would ask nobody who may change its resources. */
const PLATFORM = 'event-platform'

/** What runs an app: its sources where they are, in the repository, else what they were compiled to, as in an image. */
const MAINS = ['src/main.ts', 'dist/main.js']

/**
 * On one machine an image is an app of this repository: with arguments the first one names it (one image holds several apps),
 * without them the last component of the image's path does, without registry, tag and digest.
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

/** The text up to a mark; all of it without. */
function before(mark: string, text: string): string {
  return text.split(mark, 1)[0] ?? ''
}
