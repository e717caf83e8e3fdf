import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithParent, run, startNode } from '@taproom/processes'
import { APPS, fileAt, mainOf } from '../../harness/apps.ts'
import type { Contender } from '../../harness/contender.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import type { Area } from '../area.ts'

/** Starts of each, in turn: enough that one disturbed start does not change the median. */
const ROUNDS = 31
const STOP_LIMIT_MS = 10_000

/** The shortest server that answers, in one line. */
const BARE = `require('node:http').createServer((req, res) => req.resume().on('end', () => res.end()))
  .listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ msg: 'ready', port: this.address().port })) })`

const EVENT = {
  'Ce-Id': '1',
  'Ce-Source': '/bench',
  'Ce-Type': 'greeting',
  'Ce-Specversion': '1.0',
  'Content-Type': 'application/json',
}

/** From the start of a process to its first answer: a sink as the platform of events starts it, beside bare node:http. */
export async function openColdStartArea(opened: AsyncDisposableStack): Promise<Area> {
  const main = fileURLToPath(fileAt(mainOf(APPS.aloha)))
  const app = join(main, '../..')
  await run(process.execPath, ['--run', 'bundle'], { cwd: app })
  const env = { NODE_COMPILE_CACHE: await temporaryFolder(opened, 'cold-start') }
  const bare = starts('bare node:http', ['-e', BARE], {})
  const bundle = endingWithParent(join(app, 'dist/bundle/main.cjs'))
  // Nothing listens there: what an export costs is not a part of the start.
  const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  return {
    unit: 'starts per second, to the first answer',
    rounds: ROUNDS,
    rows: [
      {
        what: 'a sink from zero, its bundle',
        ours: starts(APPS.aloha, bundle, env),
        peer: bare,
        atLeast: 1 / 1.6,
      },
      {
        what: 'a sink from zero, its bundle, traced',
        ours: starts(`${APPS.aloha}, traced`, bundle, traced),
        peer: bare,
        atLeast: 1 / 1.6,
      },
      {
        what: 'a sink from zero, its sources',
        ours: starts(APPS.aloha, endingWithParent(main), env),
        peer: bare,
      },
    ],
  }
}

function starts(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Contender {
  return { name, measure: async () => 1 / (await secondsToAnswer(args, env)) }
}

async function secondsToAnswer(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now()
  const child = startNode({ args, env: { ...env, PORT: '0', HOST: '127.0.0.1' }, stderr: 'inherit' })
  try {
    await postEvent((await child.ready).port)
    return (performance.now() - startedAt) / 1000
  } finally {
    // By a signal that it handles: only then does Node write its compile cache.
    await child.stop(STOP_LIMIT_MS)
  }
}

async function postEvent(port: number): Promise<void> {
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers: EVENT, agent: false })
  req.end('{"message":"hello"}')
  const [res] = await once(req, 'response')
  res.resume()
  await once(res, 'end')
  if (res.statusCode !== 200) throw new Error(`the event was answered with ${res.statusCode}`)
}
