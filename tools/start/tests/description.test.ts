import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { appFiles } from './fixtures/shop.ts'
import { startShop } from './fixtures/started-shop.ts'

const SYSTEM = 'system.ts'
const REFUSED = 'system.ts cannot be loaded: the previous description keeps running'

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
  /** Answers to requests that are sent every 20 ms while something is done. */
  async function answersDuring(doing: () => Promise<unknown>): Promise<readonly (number | string)[]> {
    const answers = new Set<number | string>()
    const asking: Promise<unknown>[] = []
    const timer = setInterval(() => {
      const answer = fetch(`${place.url}/till`).then(({ status }) => answers.add(status))
      asking.push(answer.catch((error: unknown) => answers.add(String(error))))
    }, 20)
    try {
      await doing()
    } finally {
      clearInterval(timer)
    }
    await Promise.all(asking)
    return [...answers]
  }
  async function answerOf(path: string): Promise<string> {
    const response = await fetch(`${place.url}${path}`)
    return response.ok ? await response.text() : String(response.status)
  }

  it('decisions 3.149: goes on with what ran when the description cannot be loaded, and says why', async () => {
    const [text, before] = [await shop.read(SYSTEM), await pids()]
    await shop.swap(SYSTEM, text.replace("serves: ['/till']", "serves: ['till']"))
    const [line = ''] = await waitFor('the refusal', () => refusals().length > 0 && refusals())
    expect(JSON.parse(line)).toMatchObject({
      reason: expect.stringContaining('till serves "till"'),
      at: expect.stringMatching(/^system\.ts:\d+$/),
      changed: ['system.ts'],
    })
    await shop.swap(SYSTEM, text)
    expect(await pids()).toEqual(before)
    expect(await answerOf('/till')).toBe('till')
  })

  it('decisions 3.149: runs an app and a path that were added, no longer what was removed, and answers every request meanwhile', async () => {
    const ready = readies()
    // Nothing but a comment: nothing is started again for it.
    await change(/^/, '// Our shop.\n')
    await shop.write(appFiles('attic'))
    const add = "attic: { config: () => import('./apps/attic/src/config.ts'), serves: ['/attic'] },"
    const answers = await answersDuring(async () => {
      await change(/cellar: .*/, add)
      await waitFor('the second start', () => readies() > ready)
    })
    expect(answers).toEqual([200])
    expect(start.stderr()).toContain('system.ts changed, the system is started again')
    expect(await answerOf('/attic')).toBe('attic')
    expect(await answerOf('/till')).toBe('till')
    expect(await answerOf('/cellar')).toBe('404')
    expect(Object.keys(await pids()).toSorted()).toEqual(['attic', 'till'])
    expect(readies()).toBe(ready + 1)
  })

  it('decisions 3.149: follows what system.ts imports, and changes nothing while that cannot be loaded', async () => {
    const [ready, refused] = [readies(), refusals().length]
    await shop.write({ 'paths.ts': "export const paths = ['/till', '/counter']\n" })
    const importing = (await shop.read(SYSTEM)).replace("serves: ['/till']", 'serves: paths')
    await shop.swap(SYSTEM, `import { paths } from './paths.ts'\n${importing}`)
    await waitFor('the start with the import', () => readies() > ready)
    expect(await answerOf('/counter')).toBe('till')

    const before = await pids()
    await shop.swap('paths.ts', "export const paths: string[] = [\n  '/till',\n  '/desk' '/hall',\n]\n")
    const [line = ''] = await waitFor('the refusal', () => refusals().length > refused && refusals().slice(refused))
    expect(JSON.parse(line)).toMatchObject({ reason: expect.stringMatching(/^SyntaxError/), at: 'paths.ts:3' })
    expect(await pids()).toEqual(before)

    await shop.swap('paths.ts', "export const paths = ['/till', '/desk']\n")
    await waitFor('the start with the corrected import', () => readies() > ready + 1)
    expect([await answerOf('/desk'), await answerOf('/counter')]).toEqual(['till', '404'])
    expect(refusals().length).toBe(refused + 1)
  })

  it('decisions 3.149: takes nothing that is missing for a moment for a change, and the last of several quick ones', async () => {
    const [ready, refused, before] = [readies(), refusals().length, await pids()]
    await rename(join(shop.root, SYSTEM), join(shop.root, 'away.ts'))
    await rename(join(shop.root, 'away.ts'), join(shop.root, SYSTEM))
    for (const path of ['/one', '/two', '/three']) {
      await shop.swap('paths.ts', `export const paths = ['/till', '${path}']\n`)
    }
    await waitFor('the last', async () => readies() > ready && (await answerOf('/three').catch(() => '')) === 'till')
    expect([await answerOf('/one'), await answerOf('/two')]).toEqual(['404', '404'])
    expect(refusals().length).toBe(refused)
    expect(Object.keys(await pids())).toEqual(Object.keys(before))
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
