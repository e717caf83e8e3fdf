import { describe, expect, it } from 'vitest'
import { describeNeeds, NEEDS, needTags } from './needs.ts'

describe('describeNeeds', () => {
  it('names what is needed, all of it when only the test knows which of it is missing', () => {
    expect(describeNeeds(['docker'])).toBe('a Docker engine and its images')
    expect(describeNeeds(['docker', 'site'])).toBe(
      'a Docker engine and its images, and the site that pnpm site has built',
    )
  })

  it('leaves out what is here', () => {
    // Node runs on the system that it runs on: the tag `linux` is missing everywhere else.
    const tags = process.platform === 'linux' ? ['linux', 'site'] : ['site']
    expect(describeNeeds(tags)).toBe('the site that pnpm site has built')
  })

  it('says nothing of a test without such a tag', () => {
    expect(describeNeeds([])).toBeUndefined()
  })
})

describe('needTags', () => {
  it('skips tests of what is missing on this machine, and no others', () => {
    const skipping = needTags().filter(({ skip }) => skip === true)
    expect(skipping.map(({ name }) => name)).toEqual(
      NEEDS.filter(({ isHere }) => isHere?.() === false).map(({ name }) => name),
    )
  })

  it('has a tag for each, once', () => {
    expect(new Set(needTags().map(({ name }) => name)).size).toBe(NEEDS.length)
  })
})
