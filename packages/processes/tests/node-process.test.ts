import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endingWithParent, isAlive, type NodeProcess, type NodeProcessOptions, startNode } from '../src/index.ts'

const TESTS = import.meta.dirname

type StartOptions = Partial<NodeProcessOptions>

/** Starts the program; `lines` is what it wrote so far. */
function start(
  behaviour: string,
  { name = 'program', ...options }: StartOptions = {},
): NodeProcess & { lines: string[] } {
  const lines: string[] = []
  const env = { PATH: process.env['PATH'], BEHAVIOUR: behaviour, ...options.env }
  const args = endingWithParent(join(TESTS, 'demo-process.ts'))
  return {
    ...startNode({ args, ...(name !== 'any' && { name }), onLine: (line) => lines.push(line), ...options, env }),
    lines,
  }
}

const messagesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).msg)

describe('startNode', () => {
  it('tells the ready line of the program by its name, or the first of any', async () => {
    await using named = start('plain')
    await using any = start('plain', { name: 'any' })
    expect(await named.ready).toEqual({ msg: 'program ready', port: 2, pid: named.pid })
    expect(await any.ready).toEqual({ msg: 'sink ready', port: 1 })
  })

  it('says how a program ended before it was ready, and what it wrote about it', async () => {
    const child = start('broken')
    await expect(child.ready).rejects.toMatchObject({
      code: 'PROCESS_ENDED',
      message: 'program exited with code 3: the first problem\nthe second problem',
      ending: { code: 3, signal: null },
    })
    expect(await child.ended).toEqual({ code: 3, signal: null, reason: 'the second problem' })
    expect(child.lines).toEqual(['the first problem', 'the second problem'])
  })

  it('keeps little of what a program wrote that never was ready', async () => {
    const child = start('verbose')
    const error: unknown = await child.ready.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'PROCESS_ENDED' })
    expect(String(error).length).toBeLessThan(100_000)
  })

  it.each([
    ['an environment larger than the system allows', { env: { A: 'x'.repeat(10_000_000) } }],
    ['a variable no process can be given', { env: { A: 'a\0b' } }],
    ['a folder that is not there', { cwd: '/nowhere' }],
  ])('gives one that has ended for %s, and throws nothing', async (_case, options) => {
    const child = start('plain', options)
    await expect(child.ready).rejects.toThrow(/^program could not be started \(/)
    expect(await child.stop(1000)).toMatchObject({ code: null, signal: null, problem: expect.any(Error) })
    await expect(child.ask({})).rejects.toThrow(/^program could not be started/)
  })

  it('has read everything when it tells the end', async () => {
    const child = start('orderly')
    await child.ready
    expect(await child.stop(60_000)).toEqual({ code: 0, signal: null })
    expect(messagesOf(child.lines)).toEqual(['sink ready', 'program ready', 'stopping'])
  })

  it('asks once for the end, and kills after the grace', async () => {
    const child = start('stubborn')
    await child.ready
    const stopping = child.stop(60_000)
    await expect.poll(() => messagesOf(child.lines)).toContain('not now')
    const endings = await Promise.all([stopping, child.stop(1)])
    expect(endings).toEqual([
      { code: null, signal: 'SIGKILL' },
      { code: null, signal: 'SIGKILL' },
    ])
    expect(messagesOf(child.lines).filter((msg) => msg === 'not now')).toHaveLength(1)
  })

  it('ends what it started together with it', async () => {
    const child = start('parent')
    await child.ready
    const { pid } = JSON.parse(child.lines[0] ?? '')
    expect(isAlive(pid)).toBe(true)
    await child.stop(60_000)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('asks over its channel, and says so when nobody is left to answer', async () => {
    const child = start('answering', { hasChannel: true })
    await child.ready
    expect(await child.ask({ what: 'time' })).toEqual({ answer: { what: 'time' } })
    await child.kill()
    await expect(child.ask({})).rejects.toThrow('program was ended by SIGKILL')
  })
})

describe('endingWithParent', () => {
  it.each([
    ['at once', 'stubborn', '0'],
    ['in order, when there is a grace', 'orderly', '60000'],
    ['at once, when it does not listen to SIGTERM', 'plain', '60000'],
    ['by force, when the grace is over', 'stubborn', '300'],
    ['with what it started', 'parent', '60000'],
  ])('ends a program whose parent was killed %s', async (_how, behaviour, graceMs) => {
    const lines: Record<string, unknown>[] = []
    await using parent = startNode({
      args: ['--conditions=development', join(TESTS, 'starting-process.ts')],
      env: { ...process.env, BEHAVIOUR: behaviour, GRACE_MS: graceMs },
      name: 'program',
      onLine: (line) => lines.push(JSON.parse(line)),
    })
    await parent.ready
    await parent.kill()
    const pids = lines.flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []))
    expect(pids).toHaveLength(behaviour === 'parent' ? 2 : 1)
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
