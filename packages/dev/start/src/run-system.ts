import { once } from 'node:events'
import type { System } from '@taproom/system'
import { readArguments, START_USAGE } from './arguments.ts'
import { readConfig } from './config.ts'
import { createLogOutput } from './output/log-output.ts'
import { createStartReport, type StartReport } from './output/start-report.ts'
import { startSystem } from './system/start-system.ts'
import { stopSignals } from './system/stop-signals.ts'
import { summarise } from './system/summary.ts'

/** Runs a system until a signal stops it, as `pnpm start` does. Sets the exit code when it cannot start. */
export async function runSystem(system: System): Promise<void> {
  const report = createStartReport({ stream: process.stderr })
  try {
    await run(system, report)
    report.stopped()
  } catch (error) {
    report.failed(error)
    process.exitCode = 1
  }
}

async function run(system: System, report: StartReport): Promise<void> {
  const { fresh, help } = readArguments(process.argv.slice(2))
  if (help) {
    process.stdout.write(START_USAGE)
    return
  }
  const cwd = process.cwd()
  const { env } = process
  const config = readConfig(env, cwd, system)
  const { stop, kill } = stopSignals({
    watchParent: env['npm_lifecycle_event'] === 'start',
    // process.exit would wait for a file operation that hangs. The services end with this process.
    onOverdue: () => process.kill(process.pid, 'SIGKILL'),
  })
  const logs = createLogOutput({ stream: process.stdout, level: config.log.level, isShown: report.shows })
  stop.addEventListener('abort', () => report.stopping(), { once: true })

  await using running = await startSystem({
    system,
    config,
    env,
    cwd,
    fresh,
    logs,
    stop,
    kill,
    onChange: report.changed,
  })
  if (stop.aborted) return
  report.ready(summarise(running, { system, config, env }))
  await once(stop, 'abort')
}
