import { isContainerVariable } from '@taproom/processes/container-variable'
import { type FieldReader, quoted } from './field-reader.ts'

/** Beyond these limits a process may not start. */
const MOST_VARIABLES = 100
const MOST_VALUE_CHARACTERS = 16_384
const MOST_ARGUMENTS = 100
const MOST_ARGUMENT_CHARACTERS = 1024

/** Fields that decide which program runs, and that one machine does not support. */
const NOT_HERE: Readonly<Record<string, string>> = {
  command: 'is not supported on one machine: the main file of the app runs; use args',
  workingDir: 'is not supported on one machine: the app runs in its own folder',
  envFrom: 'is not supported on one machine: use env',
}

/** Reads the part of a container that applies to a process. Volumes apply to clusters only and are ignored. */
export function readContainer(reader: FieldReader) {
  for (const [field, rule] of Object.entries(NOT_HERE)) {
    const { value } = reader.child(field)
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
    if (reader.child(field).isPresent && !isEmpty) reader.child(field).problem(rule)
  }
  const image = readProcessText(reader.child('image').required(), MOST_ARGUMENT_CHARACTERS)
  const args = readItems(reader.child('args'), MOST_ARGUMENTS).flatMap(
    (item) => readProcessText(item, MOST_ARGUMENT_CHARACTERS) ?? [],
  )
  const variables = readItems(reader.child('env'), MOST_VARIABLES).flatMap(readVariable)
  const env = Object.fromEntries(variables.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])))
  /** Variables whose values are in Secrets, which one machine does not have: the platform is given the values. */
  const fromSecrets = variables.flatMap(({ name, text }) => (text === undefined ? name : []))
  return image === undefined ? undefined : { image, args, env, fromSecrets }
}

function readItems(reader: FieldReader, most: number): readonly FieldReader[] {
  const items = reader.items()
  if (items.length > most) reader.problem(`must not have more than ${most} entries`)
  return items.slice(0, most)
}

/** No U+0000: the system would cut the text there. */
function readProcessText(reader: FieldReader, mostCharacters: number): string | undefined {
  const text = reader.string()
  if (text !== undefined && text.length > mostCharacters) {
    return reader.problem(`must not have more than ${mostCharacters} characters`)
  }
  return text?.includes('\0') ? reader.problem('must not hold the character U+0000') : text
}

export const VARIABLE_RULE =
  'variables have names of A-Z, 0-9 and _, and none that a runtime, a shell or this platform reads (NODE_*, LD_*, *_PATH, PORT, ...)'

interface ReadVariable {
  readonly name: string
  /** Undefined when a Secret has it. */
  readonly text: string | undefined
}

function readVariable(item: FieldReader): ReadVariable[] {
  const name = item.child('name').required().string()
  if (name !== undefined && !isContainerVariable(name)) {
    item.child('name').problem(`${quoted(name)} is not allowed: ${VARIABLE_RULE}`)
  }
  const isFromSecret = readSecretKey(item.child('valueFrom'))
  const value = item.child('value')
  const text = value.value === '' ? '' : (readProcessText(value, MOST_VALUE_CHARACTERS) ?? '')
  return name === undefined ? [] : [{ name, text: isFromSecret ? undefined : text }]
}

/** True when a Secret has the value of a variable. */
function readSecretKey(reader: FieldReader): boolean {
  if (!reader.isPresent) return false
  const key = reader.child('secretKeyRef')
  if (!key.isPresent) reader.problem('is not supported on one machine, but for secretKeyRef: use value')
  for (const field of ['name', 'key']) if (key.isPresent) key.child(field).required().string()
  return key.isPresent
}
