import type { Found } from '../../properties/security-properties.ts'

/** The user's name for a distinguished name; undefined: no rule applies. */
export type MapName = (distinguishedName: string) => string | undefined

const PART = '((?:\\\\.|[^\\\\/])*)'
const RULE = new RegExp(`^\\s*(?:(DEFAULT)|RULE:${PART}/${PART}/([LU]?))\\s*(?:,|$)`)

function ruleOf(pattern: string, replacement: string, letters: string): MapName {
  const expression = new RegExp(pattern)
  const whole = new RegExp(`^(?:${pattern})$`)
  return (name) => {
    if (!whole.test(name)) return undefined
    // Java's `$0` is the whole match, and a backslash makes what follows literal.
    const replaced = name.replace(expression, replacement.replaceAll(/\\(.)/g, '$1').replaceAll('$0', '$&'))
    return letters === 'L' ? replaced.toLowerCase() : letters === 'U' ? replaced.toUpperCase() : replaced
  }
}

/** Apache Kafka's `ssl.principal.mapping.rules`, `RULE:pattern/replacement/[LU]` or DEFAULT with commas: the first that fits counts. */
export function principalMapping({ name, value }: Found, problems: string[]): MapName {
  const rules: MapName[] = []
  let rest = (value ?? 'DEFAULT').trim()
  while (rest !== '') {
    const [all = '', isDefault, pattern = '', replacement = '', letters = ''] = RULE.exec(rest) ?? []
    try {
      if (all === '') throw new Error('no rule')
      rules.push(isDefault ? (each) => each : ruleOf(pattern, replacement, letters))
    } catch {
      // A part that is no rule, or whose pattern is no regular expression: the property is wrong.
      problems.push(`${name} must be RULE:pattern/replacement/[LU] or DEFAULT, several with commas; got "${value}"`)
      break
    }
    rest = rest.slice(all.length).trimStart()
  }
  return (distinguishedName) => {
    for (const rule of rules) {
      const mapped = rule(distinguishedName)
      if (mapped !== undefined) return mapped
    }
    return undefined
  }
}
