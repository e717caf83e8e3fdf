import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { imagesOf, variableOf } from '../src/index.ts'
import { system } from './taproom.ts'

const ROOT = new URL('../../../', import.meta.url)
const folders = readdirSync(new URL('apps', ROOT))

interface ComposeService {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

const compose: { readonly services: Readonly<Record<string, ComposeService>> } = parse(
  readFileSync(new URL('deploy/compose.yaml', ROOT), 'utf8'),
  { merge: true },
)

describe('system.ts', () => {
  it('has every folder of apps/, as an app or as a sink', () => {
    const described = [...Object.keys(system.apps), ...Object.values(system.sinks).map(({ app }) => app)]
    expect(described.toSorted()).toEqual(folders.toSorted())
  })

  it('has every app in an image', () => {
    const inImages = new Set(imagesOf(system).flatMap(({ apps }) => apps))
    expect(folders.filter((app) => !inImages.has(app))).toEqual([])
  })

  it('decisions 3.20: puts the sinks in the one image event-sinks, and each other app in one of its own name', () => {
    const images = imagesOf(system)
    const sinks = Object.values(system.sinks).map(({ app }) => app)
    expect(sinks).toEqual(expect.arrayContaining(['aloha-sink', 'bonjour-sink']))
    expect(images).toContainEqual({ name: 'event-sinks', apps: sinks })
    for (const app of Object.keys(system.apps)) expect(images.find(({ name }) => name === app)?.apps[0], app).toBe(app)
    expect(images.filter(({ name }) => name.endsWith('-sink'))).toEqual([])
    const shared = images.filter(({ apps }) => apps.length > 1).map(({ name }) => name)
    expect(shared.toSorted()).toEqual(['event-platform', 'event-sinks', 'standins'])
  })
})

it('deploy/compose.yaml waits for services that are in it', () => {
  const awaited = Object.values(compose.services).flatMap(({ depends_on = {} }) => Object.keys(depends_on))
  expect(awaited.filter((name) => !Object.hasOwn(compose.services, name))).toEqual([])
  expect(awaited).toEqual(expect.arrayContaining(['kafka', 'postgres', 'claim-api']))
})

describe.each(Object.entries(system.apps))('%s in deploy/compose.yaml', (name, app) => {
  const { needs = [], serves = [], cluster } = app

  it('runs from its image, with what it needs named and started before', () => {
    const service = compose.services[name]
    expect(service?.image).toBe(`${name}:development`)
    // People wrote the service of the event platform, and add what new sinks need.
    const ownNeeds = needs.filter(({ variables: [property] }) => !property.startsWith('SINK_'))
    const named = ownNeeds.map(({ variables: [property], compose: { value } }) => {
      const variable = variableOf(property)
      return [variable, `\${${variable}:-${value.replaceAll('{app}', name)}}`]
    })
    expect(service?.environment ?? {}).toMatchObject(Object.fromEntries(named))
    const conditions = { healthy: 'service_healthy', done: 'service_completed_successfully' }
    const before = ownNeeds.flatMap(({ compose: { after } }) =>
      Object.entries(after).map(([other, state]) => [other, { condition: conditions[state] }]),
    )
    expect(service?.depends_on ?? {}).toMatchObject(Object.fromEntries(before))
  })

  it('decisions 3.119: has the variables that it has on every cluster, and trusts the gateway', () => {
    const environment = compose.services[name]?.environment ?? {}
    expect(environment).toMatchObject(cluster?.env ?? {})
    if (cluster !== undefined && serves.length > 0) expect(environment).toHaveProperty('HTTP_TRUSTED_PROXIES')
  })
})
