import { describe, expect, it } from 'vitest'
import { admit } from './admission.ts'
import { type FieldProblem, InvalidObjectError } from './field-reader.ts'

/** Problems of a service with this `spec.traffic`, whose template names revision sink-v2. */
function problemsOf(traffic: unknown, metadata: object = { name: 'sink-v2' }): readonly FieldProblem[] {
  try {
    const template = { metadata, spec: { containers: [{ image: 'event-sinks' }] } }
    admit({
      apiVersion: 'serving.knative.dev/v1',
      kind: 'Service',
      metadata: { name: 'sink' },
      spec: { template, traffic },
    })
    return []
  } catch (error) {
    if (error instanceof InvalidObjectError) return error.problems
    throw error
  }
}

describe('spec.traffic of a service', () => {
  it.each([
    ['absent', undefined],
    ['empty', []],
    ['all to the latest revision', [{ latestRevision: true, percent: 100 }]],
    ['all to nothing that is named', [{ percent: 100 }]],
    ['all to the revision of the template', [{ revisionName: 'sink-v2', percent: 100 }]],
    ['the same, said as Knative fills it in', [{ revisionName: 'sink-v2', latestRevision: false, percent: 100 }]],
  ])('is taken when it is %s', (_case, traffic) => {
    expect(problemsOf(traffic)).toEqual([])
  })

  it.each([
    ['another revision', [{ revisionName: 'sink-v1', percent: 100 }], '[0].revisionName', 'must be "sink-v2"'],
    ['a part only', [{ latestRevision: true, percent: 50 }], '[0].percent', 'must be 100'],
    ['no percent', [{ latestRevision: true }], '[0].percent', 'must be 100'],
    ['two revisions', [{ percent: 50 }, { revisionName: 'sink-v1', percent: 50 }], '', 'must be one entry'],
    ['not the latest', [{ latestRevision: false, percent: 100 }], '[0].latestRevision', 'must be true'],
    ['a tag', [{ percent: 100, tag: 'canary' }], '[0].tag', 'is not supported'],
    ['both ways', [{ latestRevision: true, revisionName: 'sink-v2', percent: 100 }], '[0].revisionName', 'absent'],
    ['a misspelt field', [{ percent: 100, revision: 'sink-v1' }], '[0].revision', 'unknown field'],
    ['no list', { percent: 100 }, '', 'must be a list'],
    ['nothing', [null], '[0]', 'is required'],
  ])('is refused when it asks for %s', (_case, traffic, field, rule) => {
    expect(problemsOf(traffic)).toEqual([{ field: `spec.traffic${field}`, rule: expect.stringContaining(rule) }])
  })

  it('is refused when it names a revision and the template names none', () => {
    expect(problemsOf([{ revisionName: 'sink-00001', percent: 100 }], {})).toEqual([
      { field: 'spec.traffic[0].revisionName', rule: expect.stringContaining('must be absent') },
    ])
  })
})
