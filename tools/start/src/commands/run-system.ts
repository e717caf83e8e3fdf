import type { System } from '@taproom/system'
import { misspeltVariables } from '../configurations/misspelt.ts'
import { readAllConfig } from '../configurations/read-all-config.ts'
import { chooseConsole } from '../console/chosen-console.ts'
import { Entrance } from '../gateway/entrance.ts'
import { createLogOutput, type LogOutput } from '../output/log-output.ts'
import { createRecentLines } from '../output/recent-lines.ts'
import type { SystemFiles } from '../services/system-files.ts'
import { chooseInspectPorts } from '../system/inspect-ports.ts'
import { startSystem } from '../system/start-system.ts'
import { readArguments, START_USAGE } from './arguments.ts'
import { openConsoleByKey } from './console-key.ts'
import { type Describer, Descriptions } from './descriptions.ts'
import { createStartReport, type StartReport } from './start-report.ts'
import { stopSignals } from './stop-signals.ts'
import { summarise } from './summary.ts'

export interface RunOptions {
  /** How long the end may take after the first signal; then this process ends at once. Default 4800 ms, for an end within five seconds. */
  readonly overdueMs?: number
  /** A running system follows the changes of its description. Default: it runs as it was started. */
  readonly describer?: Describer
}

/**
 * Runs a system until a signal stops it, as `pnpm start` does; `args` are those of {@link START_USAGE}. Sets the exit code when it cannot
 * start.
 */
export async function runSystem(
  system: System,
  files: SystemFiles,
  args: readonly string[],
  options: RunOptions = {},
): Promise<void> {
  const report = createStartReport({ stream: process.stderr })
  try {
    await run(system, files, args, report, options)
    report.stopped()
  } catch (error) {
    report.failed(error)
    process.exitCode = 1
  }
}

async function run(
  system: System,
  files: SystemFiles,
  args: readonly string[],
  report: StartReport,
  { overdueMs = 4800, describer }: RunOptions,
): Promise<void> {
  const { fresh, help, inspect, 'no-watch': noWatch } = readArguments(args)
  if (help) {
    process.stdout.write(START_USAGE)
    return
  }
  const cwd = process.cwd()
  const { env } = process
  const config = await readAllConfig({ system, files, env, cwd })
  const inspectPorts = await chooseInspectPorts(inspect, config)
  const console = await chooseConsole(config)
  const { stop, kill } = stopSignals({
    watchParent: env['npm_lifecycle_event'] === 'start',
    // process.exit would wait for a file operation that hangs. The services end with this process.
    onOverdue: () => process.kill(process.pid, 'SIGKILL'),
    overdueMs,
  })
  const output = createLogOutput({ stream: process.stdout, level: config.log.level, isShown: report.shows })
  const recent = createRecentLines()
  const logs: LogOutput = {
    write(line) {
      recent.write(line)
      output.write(line)
    },
  }
  stop.addEventListener('abort', () => report.stopping(), { once: true })

  const watches = !noWatch && config.mode === 'development'
  const descriptions = new Descriptions(
    { system, config },
    { files, env, cwd, logs, stop, describer: watches ? describer : undefined },
  )
  await using entrance = new Entrance({ stop })
  using key = console && openConsoleByKey(console, { env, stateDir: config.stateDir, report })
  for (let isFirst = true; ; isFirst = false) {
    const described = descriptions.next()
    try {
      await using running = await startSystem({
        ...described,
        files,
        env,
        cwd,
        ownMain: import.meta.filename,
        fresh: fresh && isFirst,
        watches,
        description: descriptions.reloadable,
        entrance,
        inspectPorts,
        logs,
        recent,
        console,
        stop,
        kill,
        onBundling: report.bundling,
        onChange: report.changed,
      })
      if (stop.aborted) return
      const hasKey = key?.isHeard === true
      report.ready({ ...summarise(running, { ...described, env, inspectPorts, console }), hasKey })
      if (isFirst) void running.variables().then((read) => report.misspelt(misspeltVariables(env, read)), ignore)
      await descriptions.changed()
      if (stop.aborted) return
      report.startingAgain()
      await entrance.hold()
    } catch (error) {
      if (stop.aborted || !descriptions.goBack()) throw error
      report.refused(error)
    }
    if (stop.aborted) return
  }
}

function ignore(): void {
  // A configuration that cannot be read in time: its service has said so, or has stopped.
}
