import { spellings } from '../new/names.ts'

/** An app that gets another name. */
export interface Renaming {
  readonly kind: 'service' | 'sink'
  readonly from: string
  readonly to: string
}

type Replacement = readonly [RegExp, string]

/** The folder of an app below `apps`, which is its name as a workspace. */
export function folderOf(kind: Renaming['kind'], name: string): string {
  return kind === 'sink' ? `${name}-sink` : name
}

/** The path of a file below the folder: sources and tests that `new` names after the app have its new name. */
export function renamedPath(path: string, { kind, from, to }: Renaming): string {
  const [old, next] = [folderOf(kind, from), folderOf(kind, to)]
  return path.replace(new RegExp(`(?<=^(?:src|tests)/)${old}(?=${SOURCES}$)`), next)
}

/** A file of the folder with what the app itself is called by. Paths, topics, tables and variables stay: others know them. */
export function renamedText(path: string, text: string, renaming: Renaming): string {
  const { kind, from, to } = renaming
  const [old, next] = [folderOf(kind, from), folderOf(kind, to)]
  if (path === 'package.json') return replaceAll(text, [[new RegExp(`(?<="name": "[^"]*/)${old}(?=")`, 'g'), next]])
  if (path === 'README.md') {
    return replaceAll(text, [
      [new RegExp(`(?<=^# )${old}$`, 'gm'), next],
      [new RegExp(`(?<=\\bapps/)${old}(?![\\w-])`, 'g'), next],
      ...(kind === 'sink' ? [[new RegExp(`(?<=subscriber \`)${from}(?=\`)`, 'g'), to] as const] : []),
    ])
  }
  if (!path.endsWith('.ts')) return text
  return replaceAll(text, kind === 'sink' ? namesInSink(renaming) : namesInSource(renaming))
}

/** Behind the name of an app in those of its sources. */
const SOURCES = '(?:-routes|-description|-process|\\.test)?\\.ts'

function namesInSource({ from, to }: Renaming): readonly Replacement[] {
  const [old, next] = [spellings(from), spellings(to)]
  const parts = '(?:Process|Database|Incoming|Outgoing|Outbox|Transform)?'
  return [
    [new RegExp(`(?<=['"]\\.{1,2}/(?:\\w+/)?)${from}(?=${SOURCES}['"])`, 'g'), to],
    [new RegExp(`(?<=\\brunService\\(\\s*')${from}(?=')`, 'g'), to],
    [new RegExp(`\\b(start|open|describe)${old.pascal}(?=${parts}\\b)`, 'g'), `$1${next.pascal}`],
    [new RegExp(`\\b${old.camel}(?=Routes\\b)`, 'g'), next.camel],
    [new RegExp(`\\b${old.pascal}(?=RoutesOptions\\b)`, 'g'), next.pascal],
  ]
}

function namesInSink({ from, to }: Renaming): readonly Replacement[] {
  const [old, next] = [spellings(from), spellings(to)]
  return [
    [new RegExp(`(?<=['"]\\.{1,2}/(?:\\w+/)?)${from}-sink(?=${SOURCES}['"])`, 'g'), `${to}-sink`],
    [new RegExp(`\\bopen${old.pascal}(?=(?:Sink|Database)\\b)`, 'g'), `open${next.pascal}`],
    [new RegExp(`(?<=\\bapp: ')${from}(?=-sink')`, 'g'), to],
    [new RegExp(`(?<=\\bsink: ')${from}(?=')`, 'g'), to],
  ]
}

export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((current, [pattern, by]) => current.replaceAll(pattern, by), text)
}
