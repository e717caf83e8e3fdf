import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, runScript } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SystemClient } from '../fixtures/client.ts'
import { sharedSystem } from '../fixtures/shared-system.ts'

const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)
const cwd = fileURLToPath(new URL('../../../../', import.meta.url))

let system: SystemClient
beforeAll(async () => {
  system = await sharedSystem()
  vi.stubEnv('TAPROOM_STATE_DIR', dirname(system.socket))
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const explain = (...args: readonly string[]) => runScript(COMMANDS, ['explain', ...args], { cwd })

describe('pnpm explain', () => {
  it('says of a topic who writes and reads it', async () => {
    await eventually(async () => {
      const { stdout } = await explain('priced-beer')
      expect(stdout).toMatch(
        /^topic\/priced-beer\n {2}records: (?:at most )?\d+ in \d+ partitions?\n {2}written by: price-generator\n {2}read by: .*beer-stream.*lag \d+/,
      )
    })
  })

  it('knows a topic that has no traffic', async () => {
    await system.send('POST', '/api/kafka/topics', { name: 'tasting', partitions: 2 })
    // The system is shared: the commands of the README make a topic with this name.
    onTestFinished(async () => void (await system.send('DELETE', '/api/kafka/topics/tasting')))
    const { code, stdout } = await explain('tasting', '--json')
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      parts: ['topic/tasting'],
      items: [],
      about: {
        'topic/tasting': {
          records: '0 in 2 partitions',
          'written by': 'none in the last ten minutes',
          'read by': 'no group',
        },
      },
    })
    const close = await explain('tastign')
    expect(close).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no part of the system has the name tastign; close names: tasting\n$/),
    })
  })

  it('says of a broker and a trigger what they are', async () => {
    expect((await explain('broker/default/default')).stdout).toMatch(
      /^broker\/default\/default\n {2}ready: True\n {2}triggers: aloha \(ready True\), .*\n {2}topic: knative-broker\.default\.default\n/,
    )
    expect((await explain('aloha')).stdout).toMatch(
      /^trigger\/default\/aloha\n {2}ready: True\n {2}broker: default\/default\n {2}filter: .*greeting.*\n {2}subscriber: Service eventingaloha\n {2}reads with: knative-trigger\.default\.aloha \(lag \d+/,
    )
  })

  it('has the verdicts about a record of the topic', async () => {
    await system.send('POST', '/api/kafka/topics/beer/records', { value: 'not a beer' })
    await eventually(async () => {
      const { stdout } = await explain('topic/beer')
      expect(stdout).toMatch(/\nwarning: price-generator, topic beer partition \d+ offset \d+: malformed beer skipped/)
      expect(stdout).toMatch(/\nlog, warn and above.*\n.*price-generator .*malformed beer skipped/)
    })
  })

  it('has the verdicts of a broker and a trigger while the platform is stopped', async () => {
    await system.send('POST', '/api/services/event-platform/stop')
    onTestFinished(async () => void (await system.send('POST', '/api/services/event-platform/start')))
    for (const part of ['broker/default/default', 'trigger/default/aloha'])
      await eventually(async () => {
        const { code, stdout } = await explain(part)
        expect(code).toBe(1)
        expect(stdout).toMatch(new RegExp(`^${part}\\n  not known: .+\\n\\n(?:error|not known): .+\\n`))
      })
  })
})
