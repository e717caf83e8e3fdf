import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { System } from '../define-system.ts'

/** The table of the apps in the root's README: each with the description from its package.json, and its paths. */
export async function appsTable({ apps, sinks }: System, root: string): Promise<string[]> {
  const subscribers = Object.values(sinks).map(({ app }) => [app, ['/']] as const)
  const served = [...Object.entries(apps).map(([name, { serves = [] }]) => [name, serves] as const), ...subscribers]
  const rows = await Promise.all(
    served.map(async ([name, paths]) => {
      const codes = paths.map((path) => `\`${path}\``)
      const isInstalled = apps[name]?.main !== undefined && !existsSync(join(root, 'apps', name))
      const called = isInstalled ? name : `[${name}](apps/${name}/README.md)`
      return [called, apps[name]?.description ?? (await descriptionOf(name, root)), codes.join(', ')]
    }),
  )
  return ['', ...table([['app', 'what it does', 'serves'], ...rows]), '']
}

/** Empty for an app whose folder does not exist yet. */
async function descriptionOf(app: string, root: string): Promise<string> {
  const file = join(root, 'apps', app, 'package.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return String(JSON.parse(text).description ?? '')
}

/** A Markdown table whose columns are as wide as their widest cell. */
function table(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)]
}
