import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, runScript, waitFor } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { sharedBrowser, visit } from '../fixtures/browser.ts'
import { type SmallSystem, startSmallSystem } from '../fixtures/small-system.ts'

const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)
const PIPED = fileURLToPath(new URL('../fixtures/piped/', import.meta.url))

let system: SmallSystem
let found: Verdict
beforeAll(async () => {
  system = await startSmallSystem({ KAFKA_PORT: String(await freePort()) }, PIPED)
  vi.stubEnv('TAPROOM_STATE_DIR', dirname(system.socket))
  await waitFor('the topic', async () => {
    const { status } = await system.send('POST', '/api/kafka/topics/words/records', { value: 'unspeakable' })
    return status === 200
  })
  found = await waitFor('the verdict', async () => {
    const { items } = await system.get<Verdicts>('/api/verdicts')
    return items.find(({ part }) => part === 'channel/piper/spoken')
  })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await system[Symbol.asyncDispose]()
})

describe('a transform that throws', () => {
  it('has a verdict with the record at which it threw, and what it threw', async () => {
    expect(found.problem).toMatch(
      /^piper, topic words partition \d offset \d: .*the channel stops: this word cannot be spoken$/,
    )
    expect(found).toMatchObject({ severity: 'error', remedy: expect.stringContaining('pnpm service restart piper') })
    // The cause is named once: the check of the channel, which is DOWN, has no verdict of its own.
    expect((await system.get<Verdicts>('/api/verdicts')).items).toEqual([found])
    // It is also what there is to say of the service.
    expect((await system.get<Verdicts>('/api/verdicts?name=piper')).items).toEqual([found])
  })

  it('is explained by the command, with the lines of its service', async () => {
    const { code, stdout } = await runScript(COMMANDS, ['explain', 'spoken'], { cwd: PIPED })
    expect(code).toBe(1)
    expect(stdout).toContain(`error: ${found.problem}\n`)
    expect(stdout).toMatch(/\nlog, warn and above, .*\n(?:.*\n)* {2}\S+ piper +\w+ +.*the channel stops/)
  })
})

describe('the page', () => {
  beforeBrowserTests(async () => {
    await sharedBrowser()
  })

  it('says why a transform does not go on', async () => {
    await using one = await visit(await sharedBrowser(), system.page)
    await one.page.locator('details.verdicts > summary').getByText(found.problem).waitFor()
  })
})
