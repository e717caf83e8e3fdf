import { describe, expect, it } from 'vitest'
import { parseImageName } from './app-of-image.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`

describe('parseImageName', () => {
  it.each([
    ['claim-api', 'claim-api', 'claim-api', undefined],
    ['claim-api:0.1.0', 'claim-api', 'claim-api', '0.1.0'],
    ['registry:5000/taproom/claim-api', 'registry:5000/taproom/claim-api', 'claim-api', undefined],
    ['registry:5000/taproom/claim-api:1', 'registry:5000/taproom/claim-api', 'claim-api', '1'],
    [`registry/claim-api@${digest}`, 'registry/claim-api', 'claim-api', digest],
    [`registry/claim-api:1@${digest}`, 'registry/claim-api', 'claim-api', digest],
  ])('splits %s', (text, repository, name, version) => {
    expect(parseImageName(text)).toEqual({ repository, name, version })
  })
})
