import { describe, expect, it } from 'vitest'
import { readContainer } from './container.ts'
import { type InvalidObjectError, readFields } from './field-reader.ts'

/** The fields that are refused, of a container that has more than an image. */
function refused(more: object): readonly string[] {
  try {
    readFields('a container', { image: 'event-sinks', ...more }, readContainer)
    return []
  } catch (error) {
    return (error as InvalidObjectError).problems.map(({ field }) => field)
  }
}

describe('readContainer', () => {
  it.each([
    ['command', { command: ['sh'] }],
    ['workingDir', { workingDir: '/tmp' }],
    ['envFrom', { envFrom: [{ secretRef: { name: 'secret' } }] }],
  ])('refuses %s, which one machine would ignore', (field, more) => {
    expect(refused(more)).toEqual([field])
  })

  it('takes them empty', () => {
    expect(refused({ command: [], workingDir: '', envFrom: [] })).toEqual([])
  })

  it('decisions 3.153: takes variables whose values are in a Secret, and no others that are elsewhere', () => {
    const variable = (valueFrom: object) => ({ env: [{ name: 'DATABASE_URL', valueFrom }] })
    expect(refused(variable({ secretKeyRef: { name: 'database', key: 'url' } }))).toEqual([])
    expect(refused(variable({ secretKeyRef: { name: 'database' } }))).toEqual(['env[0].valueFrom.secretKeyRef.key'])
    expect(refused(variable({ configMapKeyRef: { name: 'a', key: 'b' } }))).toEqual(['env[0].valueFrom'])
  })
})
