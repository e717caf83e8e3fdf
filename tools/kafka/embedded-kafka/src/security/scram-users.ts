import type { Found } from '../properties/security-properties.ts'
import { isScram, MAX_ITERATIONS, MIN_ITERATIONS, type ScramName } from './sasl/scram.ts'

/** A user whom SCRAM is to know from the start. */
export interface ScramUser {
  readonly user: string
  readonly mechanism: ScramName
  readonly password: string
  readonly iterations: number
}

/** The bracket at the end is the one before the next entry: a password may have brackets, too. */
const ENTRY = /^\s*([^=\s]+)=\[(.*?)\]\s*(?:$|,(?=\s*(?:$|[\w-]+=\[)))/s
const FORM = `SCRAM-SHA-256=[name=…,password=…] or SCRAM-SHA-512=[…], several with commas, with iterations=${MIN_ITERATIONS} to ${MAX_ITERATIONS} if at all`

function userOf(mechanism: string, list: string): ScramUser | undefined {
  const texts = list.split(',')
  const fields = new Map(
    texts.map((field) => {
      const [name = '', ...value] = field.split('=')
      return [name.trim(), value.join('=').replace(/^"(.*)"$/s, '$1')]
    }),
  )
  const [user = '', password = ''] = [fields.get('name'), fields.get('password')]
  const iterations = Number(fields.get('iterations') ?? MIN_ITERATIONS)
  const isWithin = Number.isInteger(iterations) && iterations >= MIN_ITERATIONS && iterations <= MAX_ITERATIONS
  const isWhole = texts.every((field) => field.includes('='))
  if (!isScram(mechanism) || user === '' || password === '' || !isWithin || !isWhole) return undefined
  return { user, mechanism, password, iterations }
}

/** Reads users in the syntax of `kafka-storage.sh format --add-scram`. No problem has a password. */
export function readScramUsers({ name, value }: Found, problems: string[]): readonly ScramUser[] {
  const users: ScramUser[] = []
  let rest = (value ?? '').trim()
  while (rest !== '') {
    const [all = '', mechanism = '', list = ''] = ENTRY.exec(rest) ?? []
    const user = all === '' ? undefined : userOf(mechanism, list)
    if (!user) {
      problems.push(`${name} must be ${FORM}; entry ${users.length + 1} is not`)
      break
    }
    users.push(user)
    rest = rest.slice(all.length).trimStart()
  }
  return users
}
