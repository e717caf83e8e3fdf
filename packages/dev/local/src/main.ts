import { once } from 'node:events'
import { readArguments, startUsage } from './arguments.ts'
import { createLogOutput } from './output/log-output.ts'
import { createStartReport } from './output/start-report.ts'
import { readVariables } from './system/read-variables.ts'
import { stopSignals } from './system/stop-signals.ts'
import { summarise } from './system/summary.ts'
import { startSystem } from './system/system.ts'

const report = createStartReport({ stream: process.stderr })

async function main(): Promise<void> {
  const { fresh, help } = readArguments(process.argv.slice(2))
  if (help) {
    process.stdout.write(startUsage)
    return
  }
  const cwd = process.cwd()
  const config = await readVariables(process.env, cwd)
  const { stop, kill } = stopSignals({
    watchParent: process.env['npm_lifecycle_event'] === 'start',
    // Exiting would wait for a file operation that hangs. The services end with this process.
    onOverdue: () => process.kill(process.pid, 'SIGKILL'),
  })
  const logs = createLogOutput({ stream: process.stdout, level: config.log.level, isTold: report.tells })
  stop.addEventListener('abort', () => report.stopping(), { once: true })

  await using system = await startSystem({
    config,
    env: process.env,
    cwd,
    fresh,
    logs,
    stop,
    kill,
    onChange: report.changed,
  })
  if (stop.aborted) return
  report.ready(summarise(system, config, process.env))
  await once(stop, 'abort')
}

main().then(report.stopped, (error: unknown) => {
  report.failed(error)
  process.exitCode = 1
})
