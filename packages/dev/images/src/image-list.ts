import type { ImageDescription } from '@taproom/system'

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
