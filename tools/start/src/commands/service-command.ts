import { reasonOf, visible, visibleLines } from '@taproom/core/lines'
import { CONTROL_ACTIONS, type ShownStatus } from '../control/control-answers.ts'
import { askSystem, stateDirOf } from './running-system.ts'

const USAGE = `usage: pnpm service list | stop NAME | start NAME | restart NAME | kill NAME
  list     every process: state, pid, port, and how often it crashed
  stop     ends a process until it is started again
  start    starts a process that does not run, and waits until it does
  restart  stop, then start
  kill     ends a process at once (SIGKILL), as a crash would: it is started again
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
  const stateDir = stateDirOf(process.env, { cwd: process.cwd(), root })
  const answer = isList
    ? await askSystem(stateDir, 'GET', '/services')
    : await askSystem(stateDir, 'POST', `/services/${encodeURIComponent(name ?? '')}/${action}`)
  if ('error' in answer) throw new Error(answer.error)
  const statuses = 'services' in answer ? answer.services : 'service' in answer ? [answer.service] : []
  for (const status of statuses) process.stdout.write(line(status))
}

function line({ name, state, pid, port, crashes }: ShownStatus): string {
  return `${[visible(name).padEnd(16), state.padEnd(9), `pid=${pid ?? '-'}`, `port=${port ?? '-'}`, `crashes=${crashes}`].join('  ')}\n`
}
