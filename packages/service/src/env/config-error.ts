import { visible } from '@taproom/core/lines'

/**
 * Variables are missing or invalid. `problems` has one sentence for each, naming the variable, its value (but no secrets, and no user and
 * password in a URL) and what was expected. Control characters are escaped, values are cut at 200 characters.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'CONFIG_INVALID'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const shown = problems.map((problem) => visible(withoutCredentials(problem), MAX_PROBLEM))
    super(`invalid configuration: ${shown.join('; ')}`)
    this.problems = shown
  }
}

/** Characters shown of a value, and of a whole problem. */
const MAX_VALUE = 200
const MAX_PROBLEM = 2000

/** Quoted as in JSON; a URL without user and password. */
export function shownValue(value: string): string {
  const shown = withoutCredentials(value)
  const rest = shown.length - MAX_VALUE
  return rest > 0 ? `${JSON.stringify(shown.slice(0, MAX_VALUE))}… (${rest} more characters)` : JSON.stringify(shown)
}

export function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#]*@/g, '//***@')
}
