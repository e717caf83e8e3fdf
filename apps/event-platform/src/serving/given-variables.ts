import { isContainerVariable } from '@taproom/processes/container-variable'
import type { Env, EnvReader } from '@taproom/service'
import { VARIABLE_RULE } from '../resources/container.ts'
import type { NamespacedName } from '../resources/object.ts'

/** `SINK_LEDGER__DATABASE_URL` is `DATABASE_URL` of the service `ledger` in the namespace `default`. */
const GIVEN = /^SINK_[A-Z0-9_]*?[A-Z0-9]__(.*)$/

/** The platform's variables that are for services, by their whole names. Values may be secrets, and are in no message. */
export function readGivenVariables(env: Env, read: Pick<EnvReader, 'problem'>): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const [, variable] = GIVEN.exec(name) ?? []
    if (variable === undefined || value === undefined || value === '') continue
    if (isContainerVariable(variable)) given[name] = value
    else read.problem(name, `is for a sink, which may not have ${variable}: ${VARIABLE_RULE}`)
  }
  return given
}

/** The variables of a service among those given. */
export function givenTo(
  { namespace, name }: NamespacedName,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (namespace !== 'default') return {}
  const prefix = givenName(name, '')
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  )
}

/** The platform's variable that holds a variable of a service. */
export function givenName(service: string, variable: string): string {
  return `SINK_${service.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}__${variable}`
}
