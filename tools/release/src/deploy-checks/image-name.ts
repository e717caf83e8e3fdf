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
