import { createHash } from 'node:crypto'
import type { ImageDescription } from '@taproom/system'

/** What of `turbo run build --dry=json` counts here. */
export interface DryRun {
  readonly tasks: readonly { readonly taskId: string; readonly hash: string }[]
}

/** What else an image is made of. */
export interface Surroundings {
  /** Text of the Dockerfile and of what it copies besides the workspaces. */
  readonly files: readonly string[]
  /** The base image's id, which changes with its content. */
  readonly baseId: string
}

/**
 * One hash over all that goes into an image: turbo's hash of each of its apps, which covers sources, workspaces and packages that they
 * depend on, and their surroundings. The same hash means the same image.
 *
 * @throws {RangeError} when turbo knows no build of an app
 */
export function inputsOf(image: ImageDescription, dryRun: DryRun, { files, baseId }: Surroundings): string {
  const builds = image.apps.map((app) => {
    const build = dryRun.tasks.find(({ taskId }) => taskId === `@taproom/${app}#build`)
    if (build === undefined) throw new RangeError(`turbo knows no build of @taproom/${app}`)
    return build.hash
  })
  return createHash('sha256')
    .update(JSON.stringify([image.apps, builds, files, baseId]))
    .digest('hex')
}
