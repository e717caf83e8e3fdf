import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentedCommands } from '../src/documented.ts'
import { gatewayUrl, kubectl, podsOf, REPOSITORY, shell } from '../src/kubectl.ts'
import { removeSinks } from '../src/sinks.ts'
import { emptySystem } from '../src/system.ts'

const page = await readFile(new URL('deploy/cluster.md', REPOSITORY), 'utf8')

/** What `.ci/cluster up` did already: images are in the cluster. */
const isDone = (line: string) => /^(pnpm images|kind )/.test(line)

/** Whether the cluster has triggers of the version that the overlay for old Knatives is for. */
async function hasOldTriggers(): Promise<boolean> {
  const names = ['api-resources', '--api-group=eventing.knative.dev', '--no-headers']
  return /eventing\.knative\.dev\/v1beta1 +true +Trigger/.test(await kubectl(names))
}

async function follow(heading: string): Promise<void> {
  for (const line of documentedCommands(page, heading)) {
    if (isDone(line) || (line.includes('knative-v1beta1') && !(await hasOldTriggers()))) continue
    // What is made once is there when the tests run again on the same cluster.
    await shell(line).catch((error: Error) => {
      if (!error.message.includes('AlreadyExists') && !error.message.includes('already exists')) throw error
    })
  }
}

/** `NAME: CONDITION=STATUS` of all objects of a kind. */
async function statuses(namespace: string, kind: string, condition: string): Promise<readonly string[]> {
  const range = `{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="${condition}")].status} {end}`
  return (await kubectl(['-n', namespace, 'get', kind, '-o', `jsonpath=${range}`])).trim().split(' ').toSorted()
}

describe('the development overlay, by the lines of cluster.md', () => {
  beforeAll(async () => {
    // Three brokers of a run before cannot become one.
    await emptySystem()
    await follow('## Development')
  })

  it('every deployment is Available, and every pod Ready', async () => {
    expect(await statuses('taproom', 'deployment', 'Available')).toEqual(
      [
        'beer-generator',
        'beer-standin',
        'beer-stream',
        'claim-api',
        'film-standin',
        'movie-api',
        'price-generator',
      ].map((name) => `${name}=True`),
    )
    const pods = (await statuses('taproom', 'pods', 'Ready')).filter((pod) => !pod.startsWith('movie-api-migration'))
    expect(pods.filter((pod) => !pod.endsWith('=True'))).toEqual([])
  })

  it('the migration ran once', async () => {
    expect(await statuses('taproom', 'job', 'Complete')).toEqual(['movie-api-migration=True'])
  })

  it('the Gateway has an address, where the system answers', async () => {
    const response = await fetch(`${await gatewayUrl()}/movie`)
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(6)
  })
})

describe('the overlay of Knative, by the lines of cluster.md', () => {
  beforeAll(async () => {
    await removeSinks()
    await follow('## Knative')
  })

  it('lists the resources of the contract, all Ready', async () => {
    expect(await statuses('default', 'broker', 'Ready')).toEqual(['default=True'])
    expect(await statuses('default', 'trigger', 'Ready')).toEqual(['aloha=True', 'bonjour=True'])
    expect(await statuses('default', 'service.serving.knative.dev', 'Ready')).toEqual([
      'eventingaloha=True',
      'eventingbonjour=True',
    ])
  })

  it('sinks go to zero when nothing comes', async () => {
    await expect
      .poll(() => podsOf('default', 'serving.knative.dev/service'), { timeout: 120_000, interval: 1000 })
      .toEqual([])
  })
})
