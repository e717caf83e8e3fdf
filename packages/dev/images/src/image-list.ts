/** An image and the apps in it. */
export interface ImageDescription {
  readonly name: string
  /** Names of workspaces without their scope; the first is what the container runs without arguments. */
  readonly apps: readonly string[]
}

/** Images that are not one app each: both sinks share one, event-platform runs the sinks itself, the stand-ins are of `pnpm start`. */
const shared: readonly ImageDescription[] = [
  { name: 'event-sinks', apps: ['aloha-sink', 'bonjour-sink'] },
  { name: 'event-platform', apps: ['event-platform', 'aloha-sink', 'bonjour-sink'] },
  { name: 'standins', apps: ['local'] },
]

/** The images of a repository with these apps: one for each, but for those that share one. */
export function listImages(apps: readonly string[]): ImageDescription[] {
  const inShared = new Set(shared.flatMap((image) => image.apps))
  const alone = apps.filter((app) => !inShared.has(app)).map((app) => ({ name: app, apps: [app] }))
  return [...alone, ...shared]
}

/**
 * The images with these names, or all when none is named.
 *
 * @throws {RangeError} naming what is no image, and what there is
 */
export function chooseImages(images: readonly ImageDescription[], names: readonly string[]): ImageDescription[] {
  const unknown = names.filter((name) => !images.some((image) => image.name === name))
  if (unknown.length > 0) {
    const known = images.map(({ name }) => name).join(', ')
    throw new RangeError(`${unknown.join(', ')}: no such image; there are ${known}`)
  }
  return images.filter(({ name }) => names.length === 0 || names.includes(name))
}
