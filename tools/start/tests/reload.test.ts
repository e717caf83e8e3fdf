import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { debuggersOf, inspected, inspectedAnew } from './fixtures/debuggers.ts'
import { REFUSED, RESTARTED, reloadLog } from './fixtures/reload-log.ts'
import { startShop } from './fixtures/started-shop.ts'
import { mainOf } from './fixtures/system.ts'

const ANSWER = 'apps/till/src/answer.ts'

describe('pnpm start of a system whose sources change', () => {
  let run: Awaited<ReturnType<typeof startShop>>
  let place: (typeof run)['place']
  let shop: (typeof run)['shop']
  let start: (typeof run)['start']
  beforeAll(async () => {
    run = await startShop({}, '--inspect', 'till')
    ;({ place, shop, start } = run)
  })
  afterAll(() => run?.[Symbol.asyncDispose]())

  const statuses = async () =>
    Object.fromEntries((await controlOf(place.variables).list()).map((one) => [one.name, one]))

  it('decisions 3.123: makes bundles first, and runs them', async () => {
    expect(start.stderr()).toMatch(/bundling .*\n.*starting /)
    const mains = Object.values(await statuses()).map(async ({ name, pid }) => [name, await mainOf(pid)] as const)
    // A debugger shows the sources.
    expect(Object.fromEntries(await Promise.all(mains))).toEqual({
      till: 'main.ts',
      cellar: 'main.cjs',
    })
  })

  it('decisions 3.74, 3.75: restarts just the service that uses it, on the same port, and answers every request meanwhile', async () => {
    const [before, text] = [await statuses(), await shop.read(ANSWER)]
    const address = debuggersOf(start).get('till')
    const target = await inspected(address)
    const answers = new Set<number | string>()
    const asking: Promise<unknown>[] = []
    const ask = () =>
      fetch(`${place.url}/till`).then(
        ({ status }) => answers.add(status),
        (error: unknown) => answers.add(String(error)),
      )
    const timer = setInterval(() => asking.push(ask()), 20)
    try {
      const line = await reloadLog(start).after('till', () => shop.swap(ANSWER, `${text}// changed\n`))
      expect(line).toMatchObject({ msg: RESTARTED, changed: [ANSWER] })
    } finally {
      clearInterval(timer)
    }
    await Promise.all(asking)
    expect([...answers]).toEqual([200])
    const { till: was, ...others } = before
    const now = await statuses()
    for (const [name, { pid }] of Object.entries(others)) expect([name, now[name]?.pid]).toEqual([name, pid])
    expect(now['till']).toMatchObject({ port: was?.port, crashes: 0 })
    expect(now['till']?.pid).not.toBe(was?.pid)
    expect((await inspectedAnew(address, target)).title).toContain('apps/till/src/main.ts')
  })

  it('decisions 3.76: leaves the process as it is that cannot be replaced, and says where the error is', async () => {
    const { till: before } = await statuses()
    const text = await shop.read(ANSWER)
    const lines = text.split('\n').length
    const syntax = await reloadLog(start).after('till', () => shop.swap(ANSWER, `${text}const x: = 3\n`))
    expect(syntax).toMatchObject({
      msg: REFUSED,
      at: `${ANSWER}:${lines}`,
      reason: expect.stringMatching(/^SyntaxError/),
    })
    expect((await statuses())['till']?.pid).toBe(before?.pid)
    expect((await fetch(`${place.url}/till`)).status).toBe(200)
    const repaired = await reloadLog(start).after('till', () => shop.swap(ANSWER, text))
    expect(repaired.msg).toBe(RESTARTED)
  })
})
