/** `pnpm service`: lists, stops and starts the processes of the running system. */
import { reasonOf, visible, visibleLines } from '@taproom/lines'
import { parseEnv } from '@taproom/service'
import { readStateDir } from '../src/config.ts'
import { callControl, NotRunningError } from '../src/control/control-client.ts'
import { CONTROL_ACTIONS, type ShownStatus } from '../src/control/control-server.ts'
import { controlSocketPath } from '../src/state/state-folder.ts'

const USAGE = `usage: pnpm service list | stop NAME | start NAME | restart NAME
  list     every process: state, pid, port, and how often it crashed
  stop     ends a process until it is started again
  start    starts a process that does not run, and waits until it does
  restart  stop, then start
  --help   print this

For the system of pnpm start with the same state folder (TAPROOM_STATE_DIR, default .taproom). A process that runs while its
readiness is DOWN is "not ready".
`

async function main(args: readonly string[]): Promise<void> {
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
  const stateDir = parseEnv(process.env, (read) => readStateDir(read, process.cwd()))
  const answer = await ask(stateDir, isList ? undefined : `/services/${encodeURIComponent(name ?? '')}/${action}`)
  if ('error' in answer) throw new Error(answer.error)
  for (const status of 'services' in answer ? answer.services : [answer.service]) process.stdout.write(line(status))
}

/** Sends an action, or asks for the list. */
async function ask(stateDir: string, action: string | undefined) {
  const socket = controlSocketPath(stateDir)
  try {
    return await (action === undefined ? callControl(socket, 'GET', '/services') : callControl(socket, 'POST', action))
  } catch (error) {
    if (!(error instanceof NotRunningError)) throw error
    throw new Error(
      `no system runs on ${stateDir}: start it with pnpm start, or set TAPROOM_STATE_DIR to the state folder of the one that runs`,
      { cause: error },
    )
  }
}

function line({ name, state, pid, port, crashes }: ShownStatus): string {
  return `${[visible(name).padEnd(16), state.padEnd(9), `pid=${pid ?? '-'}`, `port=${port ?? '-'}`, `crashes=${crashes}`].join('  ')}\n`
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pnpm service: ${visibleLines(reasonOf(error))}\n`)
  process.exitCode = 1
})
