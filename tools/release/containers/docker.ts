import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs `docker` and gives its stdout, trimmed. */
export async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { cwd: ROOT })).stdout.trim()
}

/** A container of the running compose project, as `docker inspect` shows it. */
export interface Container {
  readonly service: string
  readonly Id: string
  readonly Config: {
    readonly Image: string
    readonly User: string
    readonly Labels: Readonly<Record<string, string>>
  }
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly Gateway: string }>> }
  readonly HostConfig: { readonly ReadonlyRootfs: boolean; readonly CapDrop: readonly string[] | null }
  readonly State: {
    readonly Status: string
    readonly StartedAt: string
    readonly ExitCode: number
    readonly Health?: { readonly Status: string }
  }
}

export async function runningContainers(project: string): Promise<Container[]> {
  const ids = await docker('ps', '--quiet', '--filter', `label=com.docker.compose.project=${project}`)
  return inspect(ids.split('\n').filter(Boolean))
}

/** The state of containers now. */
export async function inspect(ids: readonly string[]): Promise<Container[]> {
  if (ids.length === 0) return []
  const containers = JSON.parse(await docker('inspect', ...ids)) as Omit<Container, 'service'>[]
  return containers
    .map((container) => ({ ...container, service: container.Config.Labels['com.docker.compose.service'] ?? '' }))
    .toSorted((a, b) => a.service.localeCompare(b.service))
}

/** The structured lines that a container logged. */
export async function logLines(id: string): Promise<Record<string, unknown>[]> {
  return (await docker('logs', id)).split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return [] // the last line may be cut
    }
  })
}
