import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endingWithParent, freePort, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { fileAt } from '../../harness/apps.ts'
import { type Contender, contender } from '../../harness/contender.ts'
import type { Area } from '../area.ts'
import { startBroker } from '../broker.ts'
import { limit } from '../contenders.ts'
import { type EditedReads, editedSystem, MAIN } from './edited-system.ts'

const COMMANDS = fileURLToPath(fileAt('tools/cli/src/main.ts'))
const STOP_LIMIT_MS = 30_000
/** 50 requests a second. */
const EVERY_MS = 20
/** From an edit to its answer, where Kafka is read: `node --watch` would answer before it has joined its groups. */
const LIMIT_SECONDS = 1
/** Pause between two edits. The work that follows a restart, such as starting a spare process, ends within it. */
const PAUSE_MS = 3000

/** From an edit of a service's source to the first answer of the new code, under 50 requests a second. */
export async function openEditsArea(opened: AsyncDisposableStack): Promise<Area> {
  const { bootstrapServers } = await startBroker(opened)
  const reads = { bootstrapServers, topics: ['beer', 'priced-beer'] }
  return {
    unit: 'edits per second, to the first answer',
    rows: [
      {
        what: 'an edit of a service, 50 requests a second',
        ours: await underStart(opened),
        peer: await underNodeWatch(opened),
        atLeast: 1,
      },
      {
        what: 'the same with two channels of Kafka',
        ours: await underStart(opened, reads),
        peer: limit('1 s', LIMIT_SECONDS),
        atLeast: 1,
      },
    ],
  }
}

async function underStart(opened: AsyncDisposableStack, reads?: EditedReads): Promise<Contender> {
  const system = await editedSystem(opened, reads)
  const port = await freePort()
  const env = { PORT: String(port), TAPROOM_STATE_DIR: join(system.root, 'state'), CONSOLE_ENABLED: 'false' }
  const args = [...endingWithParent(COMMANDS), 'start']
  return await edits(opened, { name: 'pnpm start', args, port, env, system, mustAnswer: true })
}

async function underNodeWatch(opened: AsyncDisposableStack): Promise<Contender> {
  const system = await editedSystem(opened)
  const port = await freePort()
  const args = ['--watch', '--conditions=development', MAIN]
  const env = { PORT: String(port), HOST: '127.0.0.1' }
  return await edits(opened, { name: 'node --watch', args, port, env, system, mustAnswer: false })
}

interface EditedProgram {
  readonly name: string
  readonly args: readonly string[]
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly system: Awaited<ReturnType<typeof editedSystem>>
  /** A request that fails ends the measurement. */
  readonly mustAnswer: boolean
}

async function edits(opened: AsyncDisposableStack, program: EditedProgram): Promise<Contender> {
  const { name, args, port, env, system, mustAnswer } = program
  const child = startNode({ args, cwd: system.root, env })
  opened.defer(async () => void (await child.stop(STOP_LIMIT_MS)))
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/till`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${name} answered ${response.status}`)
    return text
  }
  await waitFor(name, () => ask().catch(() => undefined))
  let edition = 0
  return contender(name, async () => {
    await pause(PAUSE_MS)
    edition += 1
    const wanted = `edition ${edition}`
    const answered = Promise.withResolvers<number>()
    const load = setInterval(() => {
      ask().then(
        (text) => text === wanted && answered.resolve(performance.now()),
        (error: unknown) => mustAnswer && answered.reject(error),
      )
    }, EVERY_MS)
    try {
      const editedAt = performance.now()
      await system.answerWith(wanted)
      return 1000 / ((await answered.promise) - editedAt)
    } finally {
      clearInterval(load)
    }
  })
}
