import { createHash } from 'node:crypto'
import type { ImageDescription } from '@taproom/system'

/** The part of `turbo run build --dry=json` that is read here. */
export interface DryRun {
  readonly tasks: readonly { readonly taskId: string; readonly hash: string }[]
}

/** Inputs of an image besides its workspaces. */
export interface Surroundings {
  /** Text of the Dockerfile and of the other files that it copies. */
  readonly files: readonly string[]
  /** The base image's id, which changes with its content. */
  readonly baseId: string
}

/** The workspace whose programs write what images hold: this one. */
export const WRITER = 'bundles'

/**
 * One hash of all inputs of an image: turbo's hashes of its apps and of what bundles them, which cover sources and dependencies, and the
 * rest. The same hash means the same image.
 *
 * @throws {RangeError} when turbo has no build of one
 */
export function inputsOf(image: ImageDescription, dryRun: DryRun, { files, baseId }: Surroundings): string {
  const builds = [...image.apps, WRITER].map((app) => {
    const build = dryRun.tasks.find(({ taskId }) => taskId === `@taproom/${app}#build`)
    if (build === undefined) throw new RangeError(`turbo knows no build of @taproom/${app}`)
    return build.hash
  })
  return createHash('sha256')
    .update(JSON.stringify([image.apps, builds, files, baseId]))
    .digest('hex')
}

/**
 * The images with these names, or all when none is named.
 *
 * @throws {RangeError} when a name is no image, with the names that are
 */
export function chooseImages(images: readonly ImageDescription[], names: readonly string[]): ImageDescription[] {
  const unknown = names.filter((name) => !images.some((image) => image.name === name))
  if (unknown.length > 0) {
    const known = images.map(({ name }) => name).join(', ')
    throw new RangeError(`${unknown.join(', ')}: no such image; there are ${known}`)
  }
  return images.filter(({ name }) => names.length === 0 || names.includes(name))
}
