import { reasonOf, visible, visibleLines } from '@taproom/core/lines'
import { sessionUrl } from '../console/chosen-console.ts'
import { CONTROL_ACTIONS, type EndedSink, type ShownStatus } from '../control/control-answers.ts'
import { textTable } from '../output/text-table.ts'
import { type Down, explainDown } from '../system/kafka-down.ts'
import { askSystem, type RunningProcesses, runningSystem, stateDirOf } from './running-system.ts'
import { sinkLines } from './sink-lines.ts'

const USAGE = `usage: pnpm service list | stop NAME | start NAME | restart NAME | kill NAME
  list     every process and every sink: state, pid, port, how often it crashed, readiness checks that are DOWN; and the
           console's address
  stop     ends a process until it is started again
  start    starts a process that does not run, and waits until it does
  restart  stop, then start
  kill     ends a process at once (SIGKILL), as a crash would: it is started again
           NAME may be a sink that runs (default/billing or billing): restart and kill end its instances, and event-platform
           starts the next one when it is needed
  --help   print this

For the system of pnpm start with the same state folder (TAPROOM_STATE_DIR, default .taproom beside system.ts). A process that
runs while its readiness is DOWN is "not ready".
`

/** Lists, stops and starts the processes of the system of a folder, as `pnpm service` does. Sets the exit code when it cannot. */
export async function controlServices(args: readonly string[], root: string): Promise<void> {
  try {
    await control(args, root)
  } catch (error) {
    process.stderr.write(`pnpm service: ${visibleLines(reasonOf(error))}\n`)
    process.exitCode = 1
  }
}

async function control(args: readonly string[], root: string): Promise<void> {
  const [verb, name, ...more] = args
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE)
    return
  }
  const action = CONTROL_ACTIONS.find((candidate) => candidate === verb)
  const isList = verb === 'list' && name === undefined
  if (more.length > 0 || (!isList && (action === undefined || name === undefined))) {
    process.stderr.write(USAGE)
    process.exitCode = 2
    return
  }
  const folders = { cwd: process.cwd(), root }
  if (action === undefined) {
    process.stdout.write(await systemText(await runningSystem(process.env, folders)))
    return
  }
  const path = `/services/${encodeURIComponent(name ?? '')}/${action}`
  const answer = await askSystem(stateDirOf(process.env, folders), 'POST', path)
  if ('error' in answer) throw new Error(answer.error)
  if ('service' in answer) process.stdout.write(line(answer.service))
  if ('sink' in answer) process.stdout.write(sinkLine(answer.sink))
}

async function systemText(system: RunningProcesses): Promise<string> {
  const { processes, bootstrapServers, resourceApi, console } = system
  const failing = Object.fromEntries(processes.map((each) => [each.name, each.failing]))
  const [down, sinks] = await Promise.all([
    explainDown(failing, bootstrapServers),
    resourceApi === undefined ? undefined : sinkLines(resourceApi),
  ])
  return [
    lines(processTable(processes, down)),
    ...(down.kafka === undefined ? [] : [lines([down.kafka])]),
    ...(sinks === undefined ? [] : [lines(sinks)]),
    ...(console === undefined ? [] : [lines([`console  ${sessionUrl(console)}`])]),
  ].join('\n')
}

const HEAD = ['service', 'state', 'pid', 'port', 'crashes', 'checks that are DOWN']

function line({ name, state, pid, port }: ShownStatus): string {
  const place = [...(pid === undefined ? [] : [`pid ${pid}`]), ...(port === undefined ? [] : [`port ${port}`])]
  return lines([[visible(name), state, ...place].join('  ')])
}

function sinkLine({ name, instances }: EndedSink): string {
  return lines([`${visible(name)}  ended ${instances === 1 ? '1 instance' : `${instances} instances`}`])
}

function processTable(processes: readonly ShownStatus[], down: Down): readonly string[] {
  const rows = processes.map(({ name, state, pid, port, crashes, failing }) => {
    const own = down.failing[name] ?? []
    const waiting = own.length < failing.length ? ['waits for Kafka'] : []
    const checks = [...waiting, ...own.map((check) => check.name)].join(', ')
    return [visible(name), state, String(pid ?? '-'), String(port ?? '-'), String(crashes), visible(checks)]
  })
  return textTable([HEAD, ...rows])
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
