import type { Verdict } from '../api/verdicts.ts'
import { platformData } from './eventing-facts.ts'
import type { Facts } from './facts.ts'

/** Verdicts of files that the event platform has refused, one for each problem. */
export function manifestVerdicts(facts: Facts): readonly Verdict[] {
  const refused = Object.values(platformData(facts, 'Manifests')).map(String)
  return refused.map((text) => {
    const [, file = text, field = '', rule = ''] = /^(.+?\.(?:ya?ml|json)) (\S+) ([\s\S]*)$/.exec(text) ?? []
    const isWhole = field === '' || field === '(root)'
    return {
      part: `manifest/${file}`,
      severity: 'error',
      problem: `${file} refused: ${isWhole ? '' : `${field} `}${rule}`,
      evidence: { file, field, rule },
      remedy: `Correct ${isWhole || field.startsWith('(') ? 'it' : field} in ${file} and save: the folder is read again within a second.`,
    }
  })
}
