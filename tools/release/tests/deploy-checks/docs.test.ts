import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Decisions that no test can show, each with the reason. */
const WITHOUT_TEST: Readonly<Record<string, string>> = {
  '2.19': 'header names have no case: nothing can depend on their spelling',
}

/** What is no part of the project or made from it, and this file, whose examples are no citations. */
const LEFT_OUT = ['node_modules', 'dist', '.git', '.turbo', '.taproom', 'docs.test.ts']

interface TextFile {
  readonly path: string
  readonly text: string
}

interface Citation {
  readonly path: string
  /** As `decisions 1.41` or `contract 4.1`. */
  readonly name: string
}

async function readFiles(pattern: string): Promise<readonly TextFile[]> {
  const isLeftOut = (path: string) => LEFT_OUT.includes(path.split('/').at(-1) ?? '')
  const paths = await Array.fromAsync(glob(pattern, { cwd: ROOT, exclude: isLeftOut }))
  return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })))
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, match = '']) => match)
}

/** Also of several after one word: `decisions 1.49, 1.50`, `contract 2.8 to 2.10`. */
function citationsIn({ path, text }: TextFile): readonly Citation[] {
  const cited = /\b(decisions|contract) (\d+(?:\.\d+)?(?:(?:, | and | to )\d+\.\d+)*)/g
  return [...text.matchAll(cited)].flatMap(([, page = '', numbers = '']) =>
    matches(numbers, /(\d+(?:\.\d+)?)/g).map((number) => ({ path, name: `${page} ${number}` })),
  )
}

describe('docs/', async () => {
  const files = await readFiles('**/*.{ts,md,yaml,conf}')
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? ''
  const sections = matches(textOf('docs/contract.md'), /^##+ (\d+(?:\.\d+)?)\b/gm)
  const decisions = matches(textOf('docs/decisions.md'), /^- \*\*(\d+\.\d+) /gm)
  const citations = files.flatMap(citationsIn)

  it('gives no number twice', () => {
    for (const numbers of [sections, decisions]) expect(numbers).toEqual([...new Set(numbers)])
    expect(sections.length).toBeGreaterThan(30)
    expect(decisions.length).toBeGreaterThan(100)
  })

  it('has every number that a test or a comment cites', () => {
    const known = new Set([...sections.map((n) => `contract ${n}`), ...decisions.map((n) => `decisions ${n}`)])
    expect(citations.filter(({ name }) => !known.has(name))).toEqual([])
    expect(citations.length).toBeGreaterThan(300)
  })

  it('has no decision without a test that cites it', () => {
    const cited = new Set(citations.filter(({ path }) => path.endsWith('.test.ts')).map(({ name }) => name))
    const untested = decisions.filter((number) => !cited.has(`decisions ${number}`))
    expect(untested).toEqual(Object.keys(WITHOUT_TEST))
  })

  it('is cited in one form', () => {
    const others = files.flatMap(({ path, text }) =>
      matches(text, /(\b(?:Decisions?|decision|Contract) \d.*)/g).map((citation) => ({ path, citation })),
    )
    expect(others).toEqual([])
  })
})

describe('SECURITY.md', async () => {
  const pages = await readFiles('**/*.md')
  const text = pages.find(({ path }) => path === 'SECURITY.md')?.text ?? ''

  it('names only variables that a README explains', () => {
    const variables = matches(text, /`([A-Z]+(?:_[A-Z]+)+)\b/g)
    const others = pages.filter(({ path }) => path !== 'SECURITY.md')
    expect(variables.filter((name) => !others.some((page) => page.text.includes(`\`${name}`)))).toEqual([])
    expect(variables.length).toBeGreaterThan(3)
  })

  it('links only to what is there', async () => {
    const links = matches(text, /\]\(([^)]+)\)/g)
    await expect(Promise.all(links.map((link) => readFile(join(ROOT, link))))).resolves.toHaveLength(links.length)
  })
})
