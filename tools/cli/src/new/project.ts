import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The repository in which something is made, as far as that has to fit it. */
export interface Project {
  /** The folder of its `system.ts`. */
  readonly root: string
  /** Scope of the names of its workspaces: `@shop`. */
  readonly scope: string
  has(path: string): boolean
  /** What a workspace writes for a dependency: as the template does where the repository has it in a workspace or its catalog, else a range. */
  versionOf(name: string, inTemplate: string): string
}

/** The folders of workspaces: their names are those of the workspaces without the scope. */
export const PLACES = ['apps', 'packages', 'tools', 'tools/kafka']

/** Installs what is missing; only where create-taproom made the repository. */
export const INSTALLING = 'install.mjs'

/** Reads what is at the root of a repository. */
export function readProject(root: string): Project {
  const has = (path: string) => existsSync(join(root, path))
  const { name = 'app' }: { readonly name?: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const scope = name.startsWith('@') ? name.replace(/\/.*/, '') : `@${name}`
  const settings = has('pnpm-workspace.yaml') ? readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8') : ''
  const isInCatalog = (dependency: string) => new RegExp(`^  "?${dependency}"?: `, 'm').test(settings)
  const isWorkspace = (dependency: string) => {
    const [its, folder = ''] = dependency.split('/')
    return its === scope && PLACES.some((place) => has(`${place}/${folder}/package.json`))
  }
  return {
    root,
    scope,
    has,
    versionOf(dependency, inTemplate) {
      const isHere = inTemplate.startsWith('catalog:') ? isInCatalog(dependency) : isWorkspace(dependency)
      return isHere ? inTemplate : publishedRange(dependency)
    },
  }
}

/** The version that this package was tested with: the published package.json lists them as `templateDependencies`. */
export function publishedRange(dependency: string): string {
  const { templateDependencies = {} }: { readonly templateDependencies?: Readonly<Record<string, string>> } =
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const version = templateDependencies[dependency]
  if (version === undefined) throw new RangeError(`${dependency} is known only to the published package`)
  return `^${version}`
}
