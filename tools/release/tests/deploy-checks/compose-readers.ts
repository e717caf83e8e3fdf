import { composeCommand, composeLook, findNginx } from '../../src/deploy-checks/compose-files.ts'

/** Undefined where neither Docker's plugin nor docker-compose is installed. */
export const command = await composeCommand()

/** The programs that read files of Compose; `look` is undefined where they are not installed. */
export const READERS = [
  {
    name: 'Compose',
    file: 'compose.yaml',
    look: command && composeLook(command),
    from: '  gateway:\n',
    to: '  gateway:\n    nonsense: 1\n',
  },
  { name: 'nginx', file: 'gateway.conf', look: await findNginx(), from: 'server_tokens off;', to: 'nonsense;' },
] as const
