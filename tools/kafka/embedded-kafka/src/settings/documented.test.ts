import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TOPIC_SETTINGS } from './topic-settings.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The names in the rows of the table whose second column is `kept`. */
function namesIn(heading: string): readonly string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| (`[^|]*) \| nothing/gm)].flatMap(([, cell]) =>
    [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  )
}

describe('the settings of topics', () => {
  it('without effect are those that the README names', () => {
    const silent = TOPIC_SETTINGS.filter(({ isWithoutEffect }) => isWithoutEffect).map(({ name }) => name)
    expect([...namesIn('Settings of topics')].sort()).toEqual([...silent].sort())
  })
})
