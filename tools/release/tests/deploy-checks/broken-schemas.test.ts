import { describe, expect, it } from 'vitest'
import { type Change, CONTAINER, problemsAfter } from './changed-overlay.ts'
import { isRendering } from './rendered.ts'

describe('the check of schemas', { tags: 'kustomize', skip: !isRendering }, () => {
  it.each<[problem: string, Change, found: RegExp]>([
    [
      'an unknown field',
      { of: 'Deployment claim-api', at: `${CONTAINER}.livenessProb`, to: {} },
      /unknown field spec\S+livenessProb$/,
    ],
    [
      'an unknown field deep in a probe',
      { of: 'Deployment claim-api', at: `${CONTAINER}.livenessProbe.httpGet.pth`, to: '/' },
      /unknown field \S+pth$/,
    ],
    [
      'a text for a number',
      { of: 'Deployment claim-api', at: `${CONTAINER}.ports.0.containerPort`, to: '8080' },
      /must be integer/,
    ],
    ['a missing field', { of: 'Deployment claim-api', at: 'spec.selector', to: undefined }, /required property/],
    ['an unknown kind', { of: 'Deployment claim-api', at: 'kind', to: 'Deploymnt' }, /no schema is known/],
    [
      'a misspelled timeout of a route',
      { of: 'HTTPRoute beer-stream', at: 'spec.rules.0.timeouts.requests', to: '0s' },
      /unknown field \S+requests$/,
    ],
  ])('finds %s', async (_problem, change, found) => {
    expect(await problemsAfter('production', change)).toContainEqual(expect.stringMatching(found))
  })

  it.each<[problem: string, name: string, Change, found: RegExp]>([
    [
      'an unknown field of a sink',
      'knative',
      { of: 'Service eventingaloha', at: 'spec.template.spec.containerConcurency', to: 1 },
      /unknown field \S+containerConcurency$/,
    ],
    [
      'an unknown field of a trigger',
      'knative',
      { of: 'Trigger aloha', at: 'spec.filter.atributes', to: {} },
      /unknown field spec\.filter\.atributes$/,
    ],
    [
      'a trigger without a subscriber',
      'knative',
      { of: 'Trigger aloha', at: 'spec.subscriber', to: undefined },
      /required property/,
    ],
    [
      'a field that v1beta1 has not',
      'knative-v1beta1',
      { of: 'Trigger aloha', at: 'spec.filters', to: [{ exact: { type: 'greeting' } }] },
      /spec\.filters\S+ is not served by v1beta1$/,
    ],
  ])('finds %s', async (_problem, name, change, found) => {
    expect(await problemsAfter(name, change)).toContainEqual(expect.stringMatching(found))
  })
})
