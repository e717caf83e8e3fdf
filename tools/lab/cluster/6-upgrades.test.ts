import { readFile } from 'node:fs/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Changes, changesTable, changesUnder, NONE_FAILED } from '../src/cluster/changes.ts'
import { documentedCommands } from '../src/cluster/documented.ts'
import { type Load, startLoad } from '../src/cluster/load/load.ts'
import { beersOutcome, eventsOutcome } from '../src/cluster/load/outcome.ts'
import { overlayWith, TWO_OF_EACH } from '../src/cluster/overlay.ts'
import { changeSink, isServed, makeSinks, SINKS } from '../src/cluster/sinks.ts'
import { emptySystem, release, sql } from '../src/cluster/system.ts'
import { REPOSITORY } from '../src/harness/apps.ts'
import { gatewayUrl, inTaproom, rolledOut, shell } from '../src/harness/kubectl.ts'

/** A checkout of the version before, whose images have the tag `previous`. */
const CHECKOUT = process.env['CLUSTER_PREVIOUS']
const PREVIOUS_IMAGES = `images:
  - {name: claim-api, newTag: previous}
  - {name: movie-api, newTag: previous}
  - {name: beer-generator, newTag: previous}
  - {name: price-generator, newTag: previous}
  - {name: beer-stream, newTag: previous}
`
const PREVIOUS_SINKS = 'images: [{name: registry.example.com/taproom/event-sinks, newTag: previous}]\n'
const SINK_IMAGE = 'registry.example.com/taproom/event-sinks:0.1.0'
/** A change that a user made to the data, which no migration may take back. */
const CHANGED_TITLE = 'Another Hope'

/** Images of everything that runs. */
async function images(): Promise<ReadonlySet<string>> {
  const selector = 'taproom.dev/app=true'
  const path = 'jsonpath={.items[*].spec.containers[*].image}'
  return new Set((await inTaproom('get', 'pods', '--selector', selector, '-o', path)).split(' '))
}

/** The page, with the lines for going back, for the one sink. */
const page = await readFile(new URL('deploy/cluster.md', REPOSITORY), 'utf8')
const backLines = documentedCommands(page, '## Knative').filter((line) => line.startsWith('kubectl patch'))

async function titles(): Promise<readonly string[]> {
  const films = (await (await fetch(`${await gatewayUrl()}/movie`)).json()) as { title: string }[]
  return films.map(({ title }) => title)
}

describe.skipIf(CHECKOUT === undefined)('from the version before to this one and back, with data', () => {
  const checkout = CHECKOUT ?? ''
  let before: string
  let now: string
  let load: Load & AsyncDisposable
  let changes: Changes

  beforeAll(async () => {
    before = await overlayWith('before', 'development', `${TWO_OF_EACH}${PREVIOUS_IMAGES}`, { checkout })
    now = await overlayWith('now', 'development', TWO_OF_EACH)
    await emptySystem()
    await makeSinks(await overlayWith('sinks-before', 'knative', PREVIOUS_SINKS, { checkout }))
    await release(before)
    await sql(`update films set title = '${CHANGED_TITLE}' where id = 1`)
    load = await startLoad({ part: process.env['CLUSTER_LOAD'], partOfEvents: process.env['CLUSTER_EVENTS'] })
    changes = changesUnder(load)
  })

  afterAll(() => load?.[Symbol.asyncDispose]())

  it('this version replaces the one before without a failed request', async () => {
    expect([...(await images())].every((image) => image.endsWith(':previous'))).toBe(true)
    expect(await changes.during('to this version', () => release(now))).toMatchObject(NONE_FAILED)
    expect([...(await images())].every((image) => image.endsWith(':development'))).toBe(true)
    expect(await titles()).toContain(CHANGED_TITLE)
  })

  it.each(SINKS)('%s gets a revision of this version, and goes back to the one before', async (sink) => {
    const next = await changes.during(`${sink} to this version`, async () => {
      await changeSink(sink, `${sink}-v2`, { image: SINK_IMAGE })
      await isServed(sink, `${sink}-v2`)
    })
    expect(next).toMatchObject(NONE_FAILED)
    const back = await changes.during(`${sink} to the version before`, async () => {
      for (const line of backLines) await shell(line.replaceAll('eventingaloha', sink))
      await isServed(sink, `${sink}-v1`)
    })
    expect(back).toMatchObject(NONE_FAILED)
  })

  it('the version before replaces this one without a failed request', async () => {
    expect(await changes.during('to the version before', () => release(before))).toMatchObject(NONE_FAILED)
    expect([...(await images())].every((image) => image.endsWith(':previous'))).toBe(true)
    expect(await titles()).toContain(CHANGED_TITLE)
  })

  it('this version replaces it again without a failed request', async () => {
    expect(await changes.during('to this version again', () => release(now))).toMatchObject(NONE_FAILED)
    expect(await titles()).toContain(CHANGED_TITLE)
  })

  it('every beer of both versions has one price, and every client saw every beer, once and in order', async () => {
    const { summary, findings } = await beersOutcome(load)
    console.log(summary)
    expect(findings).toEqual([])
  })

  it('both sinks got all accepted events', async () => {
    const { summary, lost } = await eventsOutcome(load)
    console.log(`${changesTable(changes.rows, await load.events.deliveries())}\n${summary}`)
    expect(lost).toEqual([])
  })
})

describe('several replicas that migrate at their start', () => {
  it('each migration runs once', async () => {
    await sql('create database empty')
    const database = { database: 'empty' }
    const url = 'postgres://taproom:development@postgresql:5432/empty'
    await inTaproom('scale', 'deployment/movie-api', '--replicas=0')
    await inTaproom('set', 'env', 'deployment/movie-api', 'DATABASE_MIGRATE_AT_START=true', `DATABASE_URL=${url}`)
    await inTaproom('scale', 'deployment/movie-api', '--replicas=4')
    await rolledOut('movie-api')
    const ran = (await sql('select name from knex_migrations order by name', database)).split('\n')
    expect(ran).toEqual([...new Set(ran)])
    expect(ran.length).toBeGreaterThan(0)
    expect(await sql('select count(*) from films', database)).toBe('6')
    await waitFor('six films', async () => (await titles().catch(() => [])).length === 6, { timeoutMs: 60_000 })
  })
})
