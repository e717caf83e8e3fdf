import { defineSystem, eventPlatform, kafka, remoteService, type SystemDescription } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { effectOf } from './effect.ts'

const films = remoteService('films', { variable: 'FILM_URL', standIn: { main: 'films.ts' }, path: '/api' })
const beers = remoteService('beers', { variable: 'BEER_URL', standIn: { main: 'beers.ts' }, path: '/api' })
const other = (standIn: string) => ({
  env: ({ address }: { address(name: string): string }) => ({ X: address(standIn) }),
})
const plain: SystemDescription = {
  name: 'Shop',
  apps: { till: { serves: ['/till'], needs: [films, beers] }, 'event-platform': eventPlatform(kafka) },
  sinks: { hi: { app: 'hi-sink', triggers: { hi: { filter: { type: 'greeting' } } } } },
  tryIt: (url) => [`curl ${url}/till`],
}

function effect(description: SystemDescription, env: Record<string, string> = {}): string {
  const system = defineSystem(description)
  const [cwd, files] = ['/shop', { root: '/shop', program: (name: string) => name }]
  return effectOf({ system, files, env, cwd, config: readConfig(env, { cwd, root: cwd }, system) })
}
const withTill = (till: SystemDescription['apps'][string]) => ({
  ...plain,
  apps: { ...plain.apps, till: { ...plain.apps['till'], ...till } },
})

describe('effectOf', () => {
  it.each<[string, SystemDescription]>([
    ['a description written again', { ...plain, apps: { ...plain.apps } }],
    ['a filter', { ...plain, sinks: { hi: { app: 'hi-sink', triggers: { hi: { filter: { type: 'farewell' } } } } } }],
    [
      'another trigger of the same app',
      { ...plain, sinks: { ...plain.sinks, ho: { app: 'hi-sink', triggers: { ho: { filter: {} } } } } },
    ],
    ['what is for clusters', withTill({ cluster: { cpu: '1 to 1', memory: '1Mi to 1Mi', pods: 'fixed' } })],
    ['an image', { ...plain, images: { all: ['till'] } }],
  ])('is the same with another one of these: %s', (_what, description) => {
    expect(effect(description)).toBe(effect(plain))
  })

  it.each<[string, SystemDescription]>([
    ['an app', { ...plain, apps: { ...plain.apps, cellar: {} } }],
    ['a path', withTill({ serves: ['/tills'] })],
    ['a link', withTill({ links: { '/till': 'the till' } })],
    ['a need', withTill({ needs: [films] })],
    ['a variable', withTill({ env: () => ({ LIMIT: '1' }) })],
    ['what the system keeps', withTill({ keeps: ['till.json'] })],
    ['the app of a sink', { ...plain, sinks: { hi: { app: 'ho-sink', triggers: { hi: { filter: {} } } } } }],
    ['the name', { ...plain, name: 'Store' }],
    ['what to try', { ...plain, tryIt: (url) => [`curl ${url}/tills`] }],
    ['bundles', { ...plain, bundle: { external: [] } }],
  ])('is another one with another one of these: %s', (_what, description) => {
    expect(effect(description)).not.toBe(effect(plain))
  })

  it('counts a function by what it returns', () => {
    expect(effect(withTill(other('films-standin')))).not.toBe(effect(withTill(other('beers-standin'))))
    expect(effect(withTill({ env: () => ({ LIMIT: '1' }) }))).toBe(effect(withTill({ env: () => ({ LIMIT: `${1}` }) })))
  })
})
