import { describe, expect, it, vi } from 'vitest'
import { echo, startHeld, stopClock } from './held-service.ts'

describe('HttpClient, pipelining', () => {
  stopClock()

  it('has several requests under way on one connection; each gets its own answer', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/bc', '/def', '/g'].map((path) => held.ask(path))
    await held.came(5)
    expect(held.paths).toEqual(['/first /a /bc /def /g'])
    for (const path of ['/a', '/bc', '/def', '/g']) held.answer(path)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /bc', '200 /def', '200 /g'])
  })

  it.each([1, 7, 42, 50, 83])('reads answers in pieces of %i bytes', async (size) => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    await held.came(4)
    const answers = ['/a', '/b', '/c'].map(echo).join('')
    for (let at = 0; at < answers.length; at += size) {
      await new Promise((written) => held.connections[0]?.socket.write(answers.slice(at, at + size), written))
    }
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b', '200 /c'])
  })

  it('does not begin before the first answer of a connection', async () => {
    await using held = await startHeld()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    await held.came(3)
    expect(held.paths.toSorted()).toEqual(['/a', '/b', '/c'])
    for (const path of ['/a', '/b', '/c']) held.answer(path)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b', '200 /c'])
  })

  it('takes a further connection only when the busy ones are full', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c', '/d', '/e'].map((path) => held.ask(path))
    await held.came(6)
    expect(held.paths).toEqual(['/first /a /b /c /d', '/e'])
    held.answer('/e')
    await sent[4]
    // The first one is full; one that is to be alone is on none of those that are shared.
    const more = ['/f', '/g', '/h', '/i'].map((path) => held.ask(path))
    const alone = held.ask('/alone', { pipelining: 1 })
    await held.came(11)
    expect(held.paths).toEqual(['/first /a /b /c /d', '/e /f /g /h /i', '/alone'])
    // One of four is answered: there is room for one.
    held.answer('/a')
    await sent[0]
    const last = ['/j', '/k'].map((path) => held.ask(path))
    await held.came(13)
    expect(held.paths).toEqual(['/first /a /b /c /d /j', '/e /f /g /h /i', '/alone', '/k'])
    for (const path of ['/b', '/c', '/d', '/j', '/f', '/g', '/h', '/i', '/alone', '/k']) held.answer(path)
    await Promise.all([...sent, ...more, alone, ...last])
  })

  it.each([
    [51, ['/first /a', '/b', '/c', '/d']],
    [20, ['/first /a /b /c', '/d']],
    [10, ['/first /a /b /c /d']],
  ])('where answers take %i ms none is to wait for more than 50', async (tookMs, expected) => {
    await using held = await startHeld()
    await held.begin(tookMs)
    const sent = ['/a', '/b', '/c', '/d'].map((path) => held.ask(path))
    await held.came(5)
    expect(held.paths.toSorted()).toEqual(expected.toSorted())
    for (const path of ['/a', '/b', '/c', '/d']) held.answer(path)
    await Promise.all(sent)
  })

  it('sends none behind one that takes long', async () => {
    await using held = await startHeld()
    await held.begin()
    const slow = held.ask('/slow')
    await held.came(2)
    vi.advanceTimersByTime(51)
    const others = [held.ask('/b'), held.ask('/c')]
    await held.came(4)
    expect(held.paths.toSorted()).toEqual(['/b', '/c', '/first /slow'])
    for (const path of ['/slow', '/b', '/c']) held.answer(path)
    await Promise.all([slow, ...others])
  })

  it('those that waited for a connection are sent together once its first answer is there', async () => {
    await using held = await startHeld({ maxConnections: 1 })
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    await held.came(1)
    held.answer('/a')
    await held.came(3)
    for (const path of ['/b', '/c']) held.answer(path)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b', '200 /c'])
  })

  it('where there are no more connections, requests wait, and are sent in order as soon as there is room', async () => {
    await using held = await startHeld({ maxConnections: 1 })
    await held.begin()
    const sent = ['/a', '/b', '/c', '/d', '/e', '/f'].map((path) => held.ask(path))
    await held.came(5)
    held.answer('/a')
    await held.came(6)
    // There is room for none: the next one is behind those that wait.
    const last = held.ask('/g')
    for (const path of ['/b', '/c', '/d', '/e', '/f', '/g']) {
      await held.until(() => held.connections[0]?.paths.includes(path) ?? false)
      held.answer(path)
    }
    expect(await Promise.all([...sent, last])).toEqual(
      ['/a', '/b', '/c', '/d', '/e', '/f', '/g'].map((p) => `200 ${p}`),
    )
    expect(held.paths).toEqual(['/first /a /b /c /d /e /f /g'])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of %d is a TypeError', async (pipelining) => {
    await using held = await startHeld()
    expect(await held.ask('/a', { pipelining })).toBe('TypeError')
  })
})
