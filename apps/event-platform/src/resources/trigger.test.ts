import { describe, expect, it } from 'vitest'
import { InvalidObjectError, readFields } from './field-reader.ts'
import { readTrigger } from './trigger.ts'

const ANNOTATION = 'taproom/delivery.pipelining'

function read(annotations: object) {
  const spec = { broker: 'default', subscriber: { uri: 'http://127.0.0.1:9/' } }
  return readFields('Trigger', { metadata: { annotations }, spec }, readTrigger)
}

describe('annotations of triggers', () => {
  it.each([
    ['1', 1],
    ['8', 8],
    ['64', 64],
  ])('decisions 3.134: %s events may be under way on one connection', (text, pipelining) => {
    expect(read({ [ANNOTATION]: text })).toMatchObject({ pipelining })
  })

  it('decisions 3.134: by default one may be', () => {
    expect(read({})).toMatchObject({ pipelining: 1, isOrdered: false })
  })

  it.each(['0', '65', '-1', '08', '1.5', '8 ', 'yes'])(`${ANNOTATION}: "%s" is refused`, (text) => {
    const field = `metadata.annotations[${ANNOTATION}]`
    const problems = [{ field, rule: `must be "1" to "64", got "${text}"` }]
    expect(() => read({ [ANNOTATION]: text })).toThrow(expect.objectContaining({ problems }))
    expect(() => read({ [ANNOTATION]: text })).toThrow(InvalidObjectError)
  })
})
