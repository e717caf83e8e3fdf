import { readFileSync } from 'node:fs'

/** The blocks of code of one language on a page of this package, in order. */
export function codeBlocks(page: string, language: string): readonly string[] {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, code = '']) => code)
}
