/** A system's name as Kubernetes and image registries write names. */
export function projectName({ name }: { readonly name: string }): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
