import { NewUsageError } from '../new/errors.ts'
import { blockIn } from '../new/system-entry.ts'
import { folderOf, type Renaming, replaceAll } from './renaming.ts'

/**
 * system.ts with the entry under its new name, and the paths of the app's files. Formatted as the formatter has it.
 *
 * @throws {NewUsageError} when there is no such entry, or one of the new name
 */
export function renamedSystem(text: string, { kind, from, to }: Renaming): string {
  const block = kind === 'sink' ? 'sinks' : 'apps'
  const { start, end, indent } = blockIn(text, block)
  const entries = text.slice(start, end)
  const keyOf = (name: string) => new RegExp(`^${indent} {2}'?${name}'?(?=:)`, 'm')
  if (keyOf(to).test(entries)) throw new NewUsageError(`${to} is taken: system.ts has it among its ${block}`)
  if (!keyOf(from).test(entries)) {
    throw new NewUsageError(`system.ts has no entry ${from} among its ${block}, on a line of its own`)
  }
  const entered = `${text.slice(0, start)}${entries.replace(keyOf(from), `${indent}  '${to}'`)}${text.slice(end)}`
  const [old, next] = [folderOf(kind, from), folderOf(kind, to)]
  return replaceAll(entered, [
    [new RegExp(`(?<=['"](?:\\./)?apps/)${old}(?=/)`, 'g'), next],
    ...(kind === 'sink'
      ? ([
          [new RegExp(`(?<=\\bapp: ')${old}(?=')`, 'g'), next],
          [new RegExp(`(?<=\\btriggers: \\{\\s*)'?${from}'?(?=:)`, 'g'), `'${to}'`],
          [new RegExp(`(?<=\\bdeadLetterSink: ')${from}(?=')`, 'g'), to],
        ] as const)
      : ([[new RegExp(`(?<=^ *health: ')${from}(?=')`, 'gm'), to]] as const)),
  ])
}
