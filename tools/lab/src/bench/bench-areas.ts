import { LeftOutError, type OpenArea } from './area.ts'
import { compare } from './compare.ts'
import { type Command, DEFAULT_ROUNDS } from './options.ts'
import { measureOurs } from './samples.ts'
import { table } from './table.ts'

type AreasCommand = Command & { readonly kind: 'areas' }

interface Output {
  print(text: string): void
  note(text: string): void
}

/** Measures the areas of a command one after another; true when no budget was missed. An area that cannot be had here is left out. */
export async function benchAreas(
  areas: Readonly<Record<string, OpenArea>>,
  command: AreasCommand,
  output: Output,
): Promise<boolean> {
  let hold = true
  for (const name of command.names) {
    const open = areas[name]
    if (open !== undefined) hold = (await benchArea(name, open, command, output)) && hold
  }
  return hold
}

async function benchArea(name: string, open: OpenArea, command: AreasCommand, output: Output): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const area = await open(opened).catch(leftOut)
  if (area instanceof LeftOutError) {
    output.note(`${name} is left out: ${area.message}\n`)
    return true
  }
  const rounds = command.rounds ?? area.rounds ?? DEFAULT_ROUNDS
  if (command.isJson) {
    for (const samples of await measureOurs(name, area, rounds)) output.print(`${JSON.stringify(samples)}\n`)
    return true
  }
  const results = await compare(area.rows, rounds)
  output.print(`${name}, ${rounds} rounds\n${table(area, results)}\n`)
  return results.every(({ verdict }) => verdict !== 'MISSED')
}

function leftOut(error: unknown): LeftOutError {
  if (error instanceof LeftOutError) return error
  throw error
}
