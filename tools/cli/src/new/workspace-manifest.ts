import { INSTALLING, type Project } from './project.ts'

interface Manifest {
  readonly name: string
  readonly scripts: Readonly<Record<string, string>>
  readonly exports?: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A template's package.json for a workspace of the project, with just the dependencies that the sources import. */
export function workspaceManifest(template: string, sources: readonly string[], project: Project): string {
  const { name, scripts, exports, dependencies = {}, devDependencies = {}, ...rest } = JSON.parse(template) as Manifest
  const isUsed = usedBy(sources)
  const used = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([dependency]) => isUsed(dependency))
        .map(([dependency, version]) => [dependency, project.versionOf(dependency, version)]),
    )
  const content = {
    name: name.replace(/^@[^/]+/, project.scope),
    ...rest,
    scripts: scriptsFor(scripts, project),
    // Where nothing is compiled, packages are their sources.
    exports: exports && (isCompiled(project) ? exports : { '.': './src/index.ts' }),
    dependencies: used(dependencies),
    devDependencies: used(devDependencies),
  }
  const filled = Object.entries(content).filter(
    ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0),
  )
  return `${JSON.stringify(Object.fromEntries(filled), null, 2)}\n`
}

function isCompiled({ has }: Project): boolean {
  return has('tsconfig.build.json')
}

/** Installs what is missing and runs a program; only where the repository has it. */
const RUNNING = 'tools/start/scripts/run.mjs'

/** Those that the project's own settings are there for. */
function scriptsFor(scripts: Manifest['scripts'], project: Project): Manifest['scripts'] {
  const needs: Readonly<Record<string, boolean>> = {
    build: isCompiled(project),
    bundle: isCompiled(project),
    lint: project.has('turbo.json'),
    typecheck: project.has('turbo.json'),
  }
  const installing: Readonly<Record<string, string>> = {
    start: `node ../../${INSTALLING} --for-start && `,
    test: `node ../../${INSTALLING} && `,
  }
  const adapted = (name: string, script: string) => {
    if (project.has(RUNNING)) return script
    const before = project.has(INSTALLING) ? (installing[name] ?? '') : ''
    return before + script.replace(`../../${RUNNING} --for-start `, '')
  }
  return Object.fromEntries(
    Object.entries(scripts).flatMap(([name, script]) => ((needs[name] ?? true) ? [[name, adapted(name, script)]] : [])),
  )
}

function usedBy(sources: readonly string[]): (dependency: string) => boolean {
  const imported = new Set(
    sources.flatMap((text) => Array.from(text.matchAll(/ from '(@[^/']+\/[^/']+|[^@./'][^/']*)/g), ([, name]) => name)),
  )
  return (dependency) => imported.has(dependency.replace(/^@types\//, ''))
}
