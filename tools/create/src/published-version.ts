import { readFileSync } from 'node:fs'

/** The version that this package was tested with: the published package.json lists them as `templateDependencies`. */
export function publishedVersion(dependency: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const version: string | undefined = manifest.templateDependencies?.[dependency]
  if (version !== undefined) return version
  throw new RangeError(`the version of ${dependency} is known only to the published package`)
}
