import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { appFiles } from './fixtures/shop.ts'
import { startShop } from './fixtures/started-shop.ts'

const SYSTEM = 'system.ts'
const REFUSED = 'system.ts does not work, what ran before goes on'

describe('pnpm start of a system whose description changes', () => {
  let run: Awaited<ReturnType<typeof startShop>>
  let place: (typeof run)['place']
  let shop: (typeof run)['shop']
  let start: (typeof run)['start']
  beforeAll(async () => {
    run = await startShop()
    ;({ place, shop, start } = run)
  })
  afterAll(() => run?.[Symbol.asyncDispose]())

  const pids = async () =>
    Object.fromEntries(
      (
        await controlOf(place.variables)
          .list()
          .catch(() => [])
      ).map(({ name, pid }) => [name, pid]),
    )
  const refusals = () =>
    start
      .stdout()
      .split('\n')
      .filter((line) => line.includes(REFUSED))
  const readies = () => start.stderr().match(/^(ready|up, but not ready:.*;) http/gm)?.length ?? 0
  const change = async (from: string | RegExp, to: string) =>
    shop.swap(SYSTEM, (await shop.read(SYSTEM)).replace(from, to))
  async function answerOf(path: string): Promise<string> {
    const response = await fetch(`${place.url}${path}`)
    return response.ok ? await response.text() : String(response.status)
  }

  it('decisions 3.149: goes on with what ran when the description cannot be loaded, and says why', async () => {
    const [text, before] = [await shop.read(SYSTEM), await pids()]
    await shop.swap(SYSTEM, text.replace("serves: ['/till']", "serves: ['till']"))
    const [line = ''] = await waitFor('the refusal', () => refusals().length > 0 && refusals())
    expect(JSON.parse(line)).toMatchObject({ reason: expect.stringContaining('till serves "till"') })
    await shop.swap(SYSTEM, text)
    expect(await pids()).toEqual(before)
    expect(await answerOf('/till')).toBe('till')
  })

  it('decisions 3.149: runs an app and a path that were added, and no longer what was removed', async () => {
    const ready = readies()
    // Nothing but a comment: nothing is started again for it.
    await change(/^/, '// Our shop.\n')
    await shop.write(appFiles('attic'))
    await change(/cellar: .*/, "attic: { config: () => import('./apps/attic/src/config.ts'), serves: ['/attic'] },")
    await waitFor('the second start', () => readies() > ready)
    expect(start.stderr()).toContain('system.ts changed, the system is started again')
    expect(await answerOf('/attic')).toBe('attic')
    expect(await answerOf('/till')).toBe('till')
    expect(await answerOf('/cellar')).toBe('404')
    expect(Object.keys(await pids()).toSorted()).toEqual(['attic', 'till'])
    expect(readies()).toBe(ready + 1)
  })

  it('decisions 3.149: runs what was described before when an app of the new description does not start', async () => {
    const ready = readies()
    await change(/^ +attic: .*\n/m, "    attic: { serves: ['/attic'] },\n    missing: { serves: ['/missing'] },\n")
    await waitFor('the start of what ran', () => readies() > ready)
    expect(start.stderr()).toMatch(/system\.ts as it is now does not run, .*\n.*missing/)
    expect(await answerOf('/attic')).toBe('attic')
    expect(Object.keys(await pids()).toSorted()).toEqual(['attic', 'till'])
    await shop.write(appFiles('missing'))
    await change("['/missing']", "['/missing', '/found']")
    await waitFor('the start with the app', () => readies() > ready + 1)
    expect(await answerOf('/found')).toBe('missing')
  })
})
