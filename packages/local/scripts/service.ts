/** `pnpm service`: lists, stops and starts the processes of the running system. */
import { parseEnv } from '@taproom/service'
import { readStateDir } from '../src/config.ts'
import { callControl } from '../src/control/control-client.ts'
import { controlActions } from '../src/control/control-server.ts'
import { controlSocketPath } from '../src/control/control-socket.ts'
import type { ProcessStatus } from '../src/supervisor/managed-process.ts'

const usage = 'usage: pnpm service list | stop NAME | start NAME | restart NAME'

async function main([verb, name, ...more]: readonly string[]): Promise<void> {
  const action = controlActions.find((candidate) => candidate === verb)
  const isList = verb === 'list' && name === undefined
  if (more.length > 0 || (!isList && (action === undefined || name === undefined))) throw new Error(usage)
  const socket = controlSocketPath(parseEnv(process.env, (read) => readStateDir(read, process.cwd())))
  const answer = isList
    ? await callControl(socket, 'GET', '/services')
    : await callControl(socket, 'POST', `/services/${encodeURIComponent(name ?? '')}/${action}`)
  if ('error' in answer) throw new Error(answer.error)
  for (const status of 'services' in answer ? answer.services : [answer.service]) process.stdout.write(line(status))
}

function line({ name, state, pid, port, restarts }: ProcessStatus): string {
  return `${[name.padEnd(16), state.padEnd(8), `pid=${pid ?? '-'}`, `port=${port ?? '-'}`, `restarts=${restarts}`].join('  ')}\n`
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pnpm service: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
