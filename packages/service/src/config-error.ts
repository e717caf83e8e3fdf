import { visible } from '@taproom/lines'

/**
 * Start-up ends with this when variables are missing or invalid. `problems` has one sentence per variable, each naming
 * the variable, its value (never a secret's, nor the user and password in a URL) and what was expected. Control characters and the like
 * are shown as escapes, values of more than 200 characters are cut.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'ERR_CONFIG'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const shown = problems.map((problem) => visible(withoutCredentials(problem), MAX_PROBLEM))
    super(`invalid configuration: ${shown.join('; ')}`)
    this.problems = shown
  }
}

/** Characters of a value, and of a whole problem, that are shown. */
const MAX_VALUE = 200
const MAX_PROBLEM = 2000

/** In quotes, with the escapes of JSON, and without user and password where it is a URL. */
export function shownValue(value: string): string {
  const shown = withoutCredentials(value)
  const rest = shown.length - MAX_VALUE
  return rest > 0 ? `${JSON.stringify(shown.slice(0, MAX_VALUE))}… (${rest} more characters)` : JSON.stringify(shown)
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#]*@/g, '//***@')
}
