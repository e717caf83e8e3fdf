import { stringify } from 'yaml'

/** The first line of a file that is written as a whole. */
const WRITTEN =
  '# Written by `pnpm generate` from system.ts: change that, not this. Without this line the file is yours.\n'

/** True when `generate` wrote a file as a whole, also in an earlier version. */
export function isWritten(text: string): boolean {
  return text.startsWith('# Written by `pnpm generate` from system.ts')
}

/** A text as a whole file. */
export function written(text: string): string {
  return WRITTEN + text
}

/** A value as YAML, without the end of its last line. */
export function yaml(entry: object): string {
  return stringify(entry, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}

/** A whole file of Kubernetes objects. */
export function writtenYaml(...objects: readonly object[]): string {
  return written(objects.map((object) => `${yaml(object)}\n`).join('---\n'))
}

/** A whole `kustomization.yaml`. */
export function writtenKustomization(content: object, kind: 'Kustomization' | 'Component' = 'Kustomization'): string {
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1'
  return writtenYaml({ apiVersion: `kustomize.config.k8s.io/${version}`, kind, ...content })
}
