import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import type { TestProject } from 'vitest/node'
import type { Target } from './target.ts'

/** What `pnpm start` runs. */
const COMMANDS = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const SINK_IDLE_MS = 6000
const STOP_LIMIT_MS = 60_000

/** Takes the system that `pnpm contract` names, or starts one and stops it afterwards. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['CONTRACT_TARGET']
  if (given !== undefined) {
    project.provide('target', JSON.parse(given))
    return undefined
  }
  const { target, stop } = await startSystem()
  project.provide('target', target)
  return stop
}

/** The system of `pnpm start` on free ports, with a state folder of its own. */
export async function startSystem(): Promise<{ target: Target; stop: () => Promise<void> }> {
  const state = await mkdtemp(join(tmpdir(), 'taproom-contract-'))
  const log = join(state, 'system.log')
  const [port, kubePort, kafkaPort] = [await freePort(), await freePort(), await freePort()]
  const file = createWriteStream(log)
  const system = startNode({
    name: 'the system',
    args: [...endingWithParent(COMMANDS), 'start'],
    onLine: (line) => file.write(`${line}\n`),
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      KUBE_PORT: String(kubePort),
      KAFKA_PORT: String(kafkaPort),
      TAPROOM_STATE_DIR: state,
      SCALE_TO_ZERO_IDLE_MS: String(SINK_IDLE_MS),
      // Other tests keep the machine busy. The stream's own patience is tested elsewhere, with a controlled clock.
      BEER_ITEM_WAIT_GRACE_MS: '60000',
    },
  })
  const target = {
    url: `http://127.0.0.1:${port}`,
    keys: join(state, 'keys'),
    log,
    sinkIdleMs: SINK_IDLE_MS,
    isOwn: true,
  }
  const stop = async () => {
    await system.stop(STOP_LIMIT_MS)
    await rm(state, { recursive: true, force: true })
  }
  try {
    await waitFor('the system to be ready', () => isReady(target.url), { intervalMs: 100 })
  } catch (error) {
    const lines = (await readFile(log, 'utf8')).split('\n').slice(-30).join('\n')
    await stop()
    throw new Error(`the system did not become ready; its last lines:\n${lines}`, { cause: error })
  }
  return { target, stop }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/q/health/ready`, { signal: AbortSignal.timeout(30_000) })
  await response.body?.cancel()
  return response.ok
}
