import { itemsOf, numberOf, type SettingType, typeProblem } from './setting-type.ts'

/** A setting of topics. */
export interface Setting {
  readonly name: string
  readonly type: SettingType
  /** The value of topics that were given none. */
  readonly fallback: string
  /** Apache Kafka's default where this broker has another one. */
  readonly standard?: string
  /** The broker's setting that is the default for topics; `isUnset` where it has no value, because one in another unit has. */
  readonly broker?: { readonly name: string; readonly isUnset: boolean }
  /** Kept and reported, but nothing here goes by it. */
  readonly isWithoutEffect: boolean
  /** Accepted, but not shown. */
  readonly isInternal: boolean
  readonly documentation: string
  /** What is wrong with a value that has the right type. */
  problem(text: string): Problem | undefined
}

/** In Apache Kafka's words. */
interface Problem {
  /** The value, or the part of it that is wrong. */
  readonly value: string
  readonly reason: string
}

interface Common {
  readonly broker?: string
  readonly unsetBroker?: string
  readonly isWithoutEffect?: boolean
  readonly isInternal?: boolean
  readonly standard?: string
}

function define(
  type: SettingType,
  name: string,
  fallback: string,
  documentation: string,
  common: Common,
  problem: (text: string) => Problem | undefined = () => undefined,
): Setting {
  const { broker, unsetBroker, standard, isWithoutEffect = false, isInternal = false } = common
  const synonym = broker ?? unsetBroker
  return {
    name,
    type,
    fallback,
    documentation,
    isWithoutEffect,
    isInternal,
    ...(standard !== undefined && { standard }),
    ...(synonym !== undefined && { broker: { name: synonym, isUnset: broker === undefined } }),
    problem,
  }
}

interface Range extends Common {
  readonly least?: number
  readonly most?: number
  /** Valid although it is out of the range. */
  readonly special?: number
}

/** A number as Java writes it; large doubles are not exact. */
function javaNumber(type: SettingType, text: string): string {
  if (type !== 'double') return String(BigInt(text.trim().replace('+', '')))
  const value = numberOf(text)
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function rangeProblem(type: SettingType, text: string, { least, most, special }: Range): Problem | undefined {
  const value = numberOf(text)
  const isLow = least !== undefined && value < least
  const isHigh = most !== undefined && value > most
  if (value === special || !(isLow || isHigh)) return undefined
  const shown = javaNumber(type, text)
  if (special !== undefined) {
    return { value: shown, reason: `Value must be between ${least} and ${most} or equal to ${special}` }
  }
  return { value: shown, reason: isLow ? `Value must be at least ${least}` : `Value must be no more than ${most}` }
}

/** A number within a range. */
export function number(
  type: 'int' | 'long' | 'double',
  name: string,
  fallback: string,
  documentation: string,
  range: Range,
): Setting {
  return define(type, name, fallback, documentation, range, (text) => rangeProblem(type, text, range))
}

/** True or false. */
export function flag(name: string, documentation: string, common: Common): Setting {
  return define('boolean', name, 'false', documentation, common)
}

function choiceProblem(value: string, values: readonly string[]): Problem | undefined {
  return values.includes(value) ? undefined : { value, reason: `String must be one of: ${values.join(', ')}` }
}

/** One of several words. */
export function choice(
  name: string,
  fallback: string,
  documentation: string,
  { values, ...common }: Common & { readonly values: readonly string[] },
): Setting {
  return define('string', name, fallback, documentation, common, (text) => choiceProblem(text.trim(), values))
}

/** A text that has a rule of its own. */
export function text(
  name: string,
  fallback: string,
  documentation: string,
  { problem }: { readonly problem: (value: string) => Problem | undefined },
): Setting {
  return define('string', name, fallback, documentation, {}, problem)
}

/** Words separated by commas, each one of several. */
export function choices(
  name: string,
  fallback: string,
  documentation: string,
  { values, ...common }: Common & { readonly values: readonly string[] },
): Setting {
  return define('list', name, fallback, documentation, common, (text) =>
    itemsOf(text)
      .map((item) => choiceProblem(item, values))
      .find((problem) => problem !== undefined),
  )
}

/** `partition:broker` pairs separated by commas, or `*`. */
export function replicas(name: string, documentation: string): Setting {
  return define('list', name, '', documentation, { isWithoutEffect: true }, (text) => {
    const isValid = text.trim() === '*' || itemsOf(text).every((item) => /^\d+:\d+$/.test(item))
    const format = '[partitionId]:[brokerId],[partitionId]:[brokerId],...'
    const reason = `${name} must be the literal '*' or a list of replicas in the following format: ${format}`
    return isValid ? undefined : { value: `[${itemsOf(text).join(', ')}]`, reason }
  })
}

/** What is wrong with a value, in Apache Kafka's words; undefined for nothing. */
export function settingProblem(setting: Setting, text: string): string | undefined {
  const ofType = typeProblem(setting.type, text)
  const problem = ofType === undefined ? setting.problem(text) : { value: text, reason: ofType }
  return problem && `Invalid value ${problem.value} for configuration ${setting.name}: ${problem.reason}`
}
