import { join } from 'node:path'
import { run } from '@taproom/processes'

const LIMIT_MS = 120_000

/** Looks at one file of a system, as the program does that reads it; gives what it said, empty when nothing is wrong. */
export type Look = (root: string) => Promise<string>

/** Compose as it is here: the plugin of Docker, or docker-compose. Undefined when there is neither. */
export async function composeCommand(): Promise<readonly [program: string, ...args: string[]] | undefined> {
  if (await succeeds('docker', 'compose', 'version')) return ['docker', 'compose']
  return (await succeeds('docker-compose', 'version')) ? ['docker-compose'] : undefined
}

/** Looks at `deploy/compose.yaml`. Undefined when {@link composeCommand} is. */
export async function findCompose(): Promise<Look | undefined> {
  const command = await composeCommand()
  return command && composeLook(command)
}

/** Looks at `deploy/compose.yaml` by a {@link composeCommand}. */
export function composeLook(command: readonly [program: string, ...args: string[]]): Look {
  return (root) => said(...command, '--file', join(root, 'deploy/compose.yaml'), 'config', '--quiet')
}

/** That of the gateway in Compose, and what CI builds from Debian's package. */
const IMAGES = ['nginx:1.28', 'nginx:1.22']
const CONF = '/etc/taproom/gateway.conf'

/** An image with nginx that the Docker engine here has. Undefined when there is none. */
export async function nginxImage(): Promise<string | undefined> {
  for (const image of IMAGES) if (await succeeds('docker', 'image', 'inspect', image)) return image
  return undefined
}

/** Looks at `deploy/gateway.conf`, by nginx in a container as in Compose, or as it is installed. Undefined when neither is here. */
export async function findNginx(): Promise<Look | undefined> {
  const image = await nginxImage()
  if (image !== undefined) {
    const container = ['--rm', '--network=none', '--read-only', '--tmpfs=/tmp', '--user=101:101', '--entrypoint=nginx']
    return (root) => {
      const mount = `${join(root, 'deploy/gateway.conf')}:${CONF}:ro`
      return said('docker', 'run', ...container, `--volume=${mount}`, image, '-t', '-q', '-c', CONF)
    }
  }
  if (!(await succeeds('nginx', '-v'))) return undefined
  return (root) => said('nginx', '-t', '-q', '-c', join(root, 'deploy/gateway.conf'))
}

/** False also for a program that is not there. */
function succeeds(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, args, { timeout: LIMIT_MS }).then(
    () => true,
    () => false,
  )
}

/** Runs a program; gives what it wrote to stderr when it failed, else nothing. */
export async function said(program: string, ...args: readonly string[]): Promise<string> {
  return await run(program, args, { timeout: LIMIT_MS }).then(
    () => '',
    (error: Error & { readonly stderr?: string }) => error.stderr?.trim() || error.message,
  )
}
