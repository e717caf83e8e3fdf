import type { System } from '../define-system.ts'
import { imagesOf } from '../images.ts'

export interface ImageName {
  /** With registry and folders: `registry.example.com/shop/orders`. */
  readonly repository: string
  /** The last part of the repository: `orders`. */
  readonly name: string
  /** The digest or tag; undefined when the registry would choose. */
  readonly version: string | undefined
}

/** Splits `registry:5000/shop/orders:0.1.0` and `…@sha256:…`. */
export function parseImageName(text: string): ImageName {
  const [, repository = text, tag, digest] = /^(.+?)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? []
  const version = digest ?? tag
  return { repository, name: repository.slice(repository.lastIndexOf('/') + 1), version }
}

/** The app that an image of that name runs with these arguments: of several, the first argument names one. Undefined for another image. */
export function appOfImage(image: string, args: readonly string[], system: System): string | undefined {
  const workspaces = imagesOf(system).find(({ name }) => name === image)?.apps
  const apps = workspaces?.filter((name) => name in system.apps || isSink(name, system)) ?? []
  if (apps.length > 1) return apps.find((app) => app === args[0])
  return apps[0] ?? workspaces?.[0]
}

function isSink(name: string, { sinks }: System): boolean {
  return Object.values(sinks).some(({ app }) => app === name)
}
