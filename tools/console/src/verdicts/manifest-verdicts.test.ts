import { expect, it } from 'vitest'
import { factsOf } from '../../tests/fixtures/facts.ts'
import { manifestVerdicts } from './manifest-verdicts.ts'

it.each([
  ['a.yaml spec.broker is required', 'a.yaml refused: spec.broker is required', 'Correct spec.broker in a.yaml'],
  ['my broker.yml kind is not known', 'my broker.yml refused: kind is not known', 'Correct kind in my broker.yml'],
  ['my b.json (root) is too long', 'my b.json refused: is too long', 'Correct it in my b.json'],
  ['a.yaml (yaml) ends\ntoo soon', 'a.yaml refused: (yaml) ends\ntoo soon', 'Correct it in a.yaml'],
  ['what is this', 'what is this refused: ', 'Correct it in what is this'],
])('the verdict of %j is %j', (text, problem, remedy) => {
  const checks = [{ name: 'Manifests', status: 'DOWN' as const, data: { 'refused.1': text } }]
  const { system } = factsOf({})
  const facts = factsOf({
    system: { ...system, platform: 'platform' },
    health: [{ name: 'platform', reports: { well: { checks } } }],
  })
  expect(manifestVerdicts(facts)).toMatchObject([{ problem, remedy: expect.stringContaining(remedy) }])
})
