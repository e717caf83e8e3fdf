import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NewUsageError } from './errors.ts'
import { renamed, spellings } from './names.ts'
import { FILES, marksOf, type Part, SINK_FILES, sinkMarksOf } from './parts.ts'
import { INSTALLING, type Project } from './project.ts'
import { chosenText } from './template-text.ts'

const TEMPLATES = fileURLToPath(new URL('../../templates', import.meta.url))

/** Texts by their paths below the folder of a workspace. */
export type Files = ReadonlyMap<string, string>

export interface TemplateOptions {
  readonly template: 'service' | 'sink' | 'package'
  readonly name: string
  readonly parts: ReadonlySet<Part>
  /** Name of a thing that a service adds, finds and lists: `order`. Default: none. */
  readonly resource?: string
  /** Type of the events of a sink. Default: `greeting`. */
  readonly eventType?: string
  readonly project: Project
}

/**
 * The files of a new workspace. Imports that nothing uses any more are still in them.
 *
 * @throws {NewUsageError} when the name of the resource stands for something else in them
 */
export async function templateFiles(options: TemplateOptions): Promise<Files> {
  const { template, name, parts, resource, eventType = 'greeting', project } = options
  const folder = join(TEMPLATES, template)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const isSink = template === 'sink'
  const marks: ReadonlySet<string> = isSink ? sinkMarksOf(parts) : marksOf(parts, resource !== undefined)
  const isLeftOut = (path: string) =>
    Object.entries(isSink ? SINK_FILES : FILES).some(([mark, files]) => !marks.has(mark) && files.includes(path))
  const texts = await Promise.all(
    paths
      .filter((path) => !isLeftOut(path))
      .map(async (path) => {
        const chosen = chosenText(await readFile(join(folder, path), 'utf8'), marks)
        const text = renamed(isSink ? chosen.replaceAll("'greeting'", `'${eventType}'`) : chosen, name)
        return [renamed(path, name), path.endsWith('.md') ? readmeFor(text, project) : text] as const
      }),
  )
  const files = resource === undefined ? texts : withResource(texts, resource)
  return new Map([...files, ...settings(template, project)])
}

function withResource(texts: readonly (readonly [string, string])[], resource: string) {
  const { pascal } = spellings(resource)
  const isIdentifier = new RegExp(`\\b${pascal}\\b`)
  const files = texts.map(([path, text]) => [renamed(path, resource, 'template-item'), text] as const)
  const isTaken =
    pascal in globalThis ||
    texts.some(([path, text]) => path.endsWith('.ts') && isIdentifier.test(text)) ||
    new Set(files.map(([path]) => path)).size < files.length
  if (isTaken) throw new NewUsageError(`--resource=${resource} stands for something else in the code: use another name`)
  return files.map(([path, text]) => [path, renamed(text, resource, 'template-item')] as const)
}

/** Settings of a workspace, which say where it lies; those that extend what the project has at its root. */
function settings(template: TemplateOptions['template'], { has }: Project): readonly (readonly [string, string])[] {
  const include = { service: ['src', 'tests'], sink: ['src', 'tests'], package: ['src'] }[template]
  const tag = template === 'package' ? 'library' : 'app'
  const all = [
    ['tsconfig.base.json', 'tsconfig.json', { extends: '../../tsconfig.base.json', include }],
    ['tsconfig.build.json', 'tsconfig.build.json', { extends: '../../tsconfig.build.json' }],
    ['turbo.json', 'turbo.json', { extends: ['//'], tags: [tag] }],
  ] as const
  return all.filter(([base]) => has(base)).map(([, path, content]) => [path, `${JSON.stringify(content)}\n`])
}

/** Links to packages that are not workspaces become their names. In a created repository npx runs pnpm, which need not be installed. */
function readmeFor(text: string, { has }: Project): string {
  const linked = text.replaceAll(
    /\[(@taproom\/[\w-]+)\]\(\.\.\/\.\.\/([\w/-]+?)(?:\/README\.md)?\)/g,
    (link, name, folder) => (has(folder) ? link : `\`${name}\``),
  )
  return has(INSTALLING) ? linked.replaceAll('pnpm --filter', 'npx -y pnpm@12 --filter') : linked
}
