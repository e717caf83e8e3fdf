import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const LINE_LIMIT = 140
const TABLE_LIMIT = 160

const LEFT_OUT = ['node_modules', 'dist', '.git', '.turbo', '.taproom']

interface Line {
  /** `path:number`, as editors open it. */
  readonly at: string
  readonly text: string
}

async function readLines(pattern: string): Promise<readonly (readonly Line[])[]> {
  const isLeftOut = (path: string) => LEFT_OUT.includes(path.split('/').at(-1) ?? '')
  const paths = await Array.fromAsync(glob(pattern, { cwd: ROOT, exclude: isLeftOut }))
  return await Promise.all(
    paths.toSorted().map(async (path) => {
      const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n')
      return lines.map((text, index) => ({ at: `${path}:${index + 1}`, text }))
    }),
  )
}

/** The lines of a page without its blocks of code. */
function prose(lines: readonly Line[]): readonly Line[] {
  let isCode = false
  return lines.filter(({ text }) => {
    const isFence = /^\s*```/.test(text)
    if (isFence) isCode = !isCode
    return !isCode && !isFence
  })
}

describe('READMEs and docs', async () => {
  const lines = (await readLines('**/*.md')).flatMap(prose)
  const tooLong = (part: readonly Line[], limit: number) =>
    part.filter(({ text }) => text.length > limit).map(({ at, text }) => `${at}: ${text.length} characters`)
  const isTable = ({ text }: Line) => text.trimStart().startsWith('|')

  it(`have no line of more than ${LINE_LIMIT} characters outside of tables and code`, () => {
    expect(
      tooLong(
        lines.filter((line) => !isTable(line)),
        LINE_LIMIT,
      ),
    ).toEqual([])
    expect(lines.length).toBeGreaterThan(500)
  })

  it(`have no table of more than ${TABLE_LIMIT} characters`, () => {
    // The contract is the text that was agreed on: its tables stay as they are.
    const own = lines.filter(({ at }) => !at.startsWith('docs/contract.md'))
    expect(tooLong(own.filter(isTable), TABLE_LIMIT)).toEqual([])
  })
})

/** The codes that a source declares: members, types of codes, and what errors are made with. Not those of Node, which are only compared. */
function declaredCodes(lines: readonly Line[]): readonly string[] {
  const text = lines.map((line) => line.text).join('\n')
  const lineAt = (index: number) => lines[text.slice(0, index).split('\n').length - 1]?.at
  const codesIn = (found: RegExpExecArray, pattern: RegExp) =>
    Array.from(found[0].matchAll(pattern), ({ index, 1: code }) => `${lineAt(found.index + index)}: ${code}`)
  return [
    ...Array.from(text.matchAll(/\bcode(?:: string)? = '[^']+'/g), (found) => codesIn(found, /'(.*)'/g)),
    ...Array.from(text.matchAll(/\btype \w*Code =(?:\s*\|?\s*'[^']*')+/g), (found) => codesIn(found, /'([^']*)'/g)),
    ...Array.from(text.matchAll(/\bnew \w+Error\(\s*'(?:\w+-[\w-]*|[A-Z]+_\w*)'/g), (found) =>
      codesIn(found, /'(.*)'/g),
    ),
    ...Array.from(text.matchAll(/^\s*ERR_\w+:/gm), (found) => codesIn(found, /(\w+)/g)),
  ].flat()
}

describe('error codes of production sources', async () => {
  const sources = await readLines('{apps,packages,tools}/**/{src,scripts}/**/*.ts')
  const codes = sources.filter(([first]) => first?.at.includes('.test.ts:') === false).flatMap(declaredCodes)

  it('are <AREA>_<WHAT> in capitals, and none is ERR_<WHAT>', () => {
    expect(codes.filter((found) => !/: (?!ERR_)[A-Z]+(?:_[A-Z0-9]+)+$/.test(found))).toEqual([])
    expect(codes.length).toBeGreaterThan(10)
  })
})
