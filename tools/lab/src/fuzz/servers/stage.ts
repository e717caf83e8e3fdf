import { freePort } from '@taproom/testkit'
import { KAFKA_MAIN } from '../../harness/apps.ts'
import { BLOCKED, type Measure } from './measure.ts'
import type { OpenServers, ServerTarget } from './server-target.ts'
import { openWatch } from './watch.ts'
import { type Program, startWatched, type WatchedProcess } from './watched-process.ts'

/** Where a surface starts its servers. */
export interface Stage {
  readonly folder: string
  /** Closed at the end. */
  readonly opened: AsyncDisposableStack
  /** Starts a program of the repository, watched, with what it writes to stderr line by line. */
  start(program: Program, env: Readonly<Record<string, string>>, onError?: (line: string) => void): WatchedProcess
  startKafka(onError?: (line: string) => void): Promise<WatchedProcess & { readonly port: number }>
}

/** A surface whose servers are started on a stage; all of them end with the target, or when one cannot be started. */
export function onStage(build: (stage: Stage) => Promise<ServerTarget>, measure: Measure = BLOCKED): OpenServers {
  return async (folder) => {
    await using opened = new AsyncDisposableStack()
    const watch = opened.use(await openWatch(folder, measure.unit))
    const start: Stage['start'] = (program, env, onError) =>
      opened.use(startWatched(program, { ...watch.env, ...env }, onError))
    const startKafka: Stage['startKafka'] = async (onError) => {
      const port = await freePort()
      const broker = start(KAFKA_MAIN, { KAFKA_PORT: String(port) }, onError)
      return { ...broker, port }
    }
    const target = await build({ folder, opened, start, startKafka })
    const resources = opened.move()
    return { ...target, watch, measure, [Symbol.asyncDispose]: () => resources.disposeAsync() }
  }
}
