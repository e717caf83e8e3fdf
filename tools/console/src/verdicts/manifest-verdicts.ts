import type { Verdict } from '../api/verdicts.ts'
import { platformData } from './eventing-facts.ts'
import type { Facts } from './facts.ts'

/** Verdicts of files that the event platform has refused, one for each problem. */
export function manifestVerdicts(facts: Facts): readonly Verdict[] {
  const refused = Object.values(platformData(facts, 'Manifests')).map(String)
  return refused.map((text) => {
    const [, file = text, field = '', rule = ''] = /^(\S+) (\S+) ([\s\S]*)$/.exec(text) ?? []
    return {
      part: `manifest/${file}`,
      severity: 'error',
      problem: `${file} refused: ${field === '(root)' ? '' : `${field} `}${rule}`,
      evidence: { file, field, rule },
      remedy: `Correct ${field.startsWith('(') ? 'it' : field} in ${file} and save: the folder is read again within a second.`,
    }
  })
}
