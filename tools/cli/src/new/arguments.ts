import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import { NewUsageError } from './errors.ts'
import { checkName } from './names.ts'
import { PARTS, type Part, RESOURCE_PARTS, readParts, readSinkParts, SINK_PARTS } from './parts.ts'

const WIDTH = Math.max(...Object.keys(PARTS).map((part) => part.length))

export const NEW_USAGE = `usage: pnpm new service NAME [--with part,part] [--resource RESOURCE]
       pnpm new sink NAME [--type EVENT_TYPE] [--with part,part]
       pnpm new package NAME

  --with      parts of the service, asked for on a terminal when it is not given; of a sink ${SINK_PARTS.join(' and ')}
${Object.entries(PARTS)
  .map(([part, what]) => `                ${part.padEnd(WIDTH)}  ${what}`)
  .join('\n')}
  --resource  name of what the service adds, finds and lists, such as order (with http and database)
  --type      type of the events that the sink gets (default greeting)
`

/** What is to be made. */
export type Wanted =
  | {
      readonly kind: 'service'
      readonly name: string
      readonly parts: ReadonlySet<Part> | undefined
      readonly resource?: string
    }
  | { readonly kind: 'sink'; readonly name: string; readonly eventType: string; readonly parts: ReadonlySet<Part> }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'help' }

const STRING = { type: 'string' } as const

/** @throws {NewUsageError} when the command line is wrong */
export function readArguments(args: readonly string[]): Wanted {
  const { values, positionals } = parse(args)
  if (values.help === true) return { kind: 'help' }
  const [kind, name, ...more] = positionals
  if (more.length > 0 || name === undefined) throw new NewUsageError('expected what to make, and its name')
  checkName(name)
  refuseOthers(kind, values)
  switch (kind) {
    case 'service':
      return { kind, name, ...readService(name, values) }
    case 'sink':
      return {
        ...{ kind, name, eventType: checkType(values.type ?? 'greeting') },
        parts: values.with === undefined ? new Set() : readSinkParts(values.with),
      }
    case 'package':
      return { kind, name }
    default:
      throw new NewUsageError(`${JSON.stringify(kind)} cannot be made: expected service, sink or package`)
  }
}

interface ServiceValues {
  readonly with?: string
  readonly resource?: string
}

function readService(name: string, { with: given, resource }: ServiceValues) {
  const parts = given === undefined ? undefined : readParts(given)
  if (resource === undefined) return { parts }
  checkName(resource)
  if (resource === name)
    throw new NewUsageError(`--resource=${resource}: expected another name than that of the service`)
  return { resource, parts: new Set([...(parts ?? []), ...RESOURCE_PARTS]) }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { with: STRING, resource: STRING, type: STRING, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new NewUsageError(reasonOf(error))
  }
}

function refuseOthers(
  kind: string | undefined,
  { with: parts, resource, type }: ServiceValues & { readonly type?: string },
): void {
  if (parts !== undefined && kind === 'package') throw new NewUsageError('--with is for services and sinks')
  if (resource !== undefined && kind !== 'service') throw new NewUsageError('--resource is for services')
  if (type !== undefined && kind !== 'sink') throw new NewUsageError('--type is for sinks')
}

/** As in a filter of a trigger: any text, which becomes a string of system.ts. */
function checkType(text: string): string {
  if (/^[\w.:/-]{1,200}$/.test(text)) return text
  throw new NewUsageError(`--type=${JSON.stringify(text.slice(0, 100))}: expected 1 to 200 of a-z A-Z 0-9 . _ : / -`)
}
