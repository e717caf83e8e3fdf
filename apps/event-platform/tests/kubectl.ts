import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { run } from '@taproom/processes'
import { runPlatform } from './running-platform.ts'

/**
 * No npm package: it is taken from the machine. Tests that need it have the tag `kubectl`; resource-api.test.ts covers the API without it.
 */
export const KUBECTL = 'kubectl'

/** A platform with the manifests of the repository, and a user of kubectl with a home of his own. */
export type KubectlSession = Awaited<ReturnType<typeof startKubectlSession>>

export async function startKubectlSession() {
  await using opened = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'kubectl-'))
  opened.defer(() => rm(home, { recursive: true }))
  const { bootstrapServers } = opened.use(await startEmbeddedKafka())
  const { kubeUrl, ready } = opened.use(await runPlatform({ bootstrapServers }))
  await ready()
  const env = { HOME: home, PATH: process.env['PATH'] }
  const argsOf = (command: string, url = kubeUrl) => ['-s', url, ...command.split(' ')]
  const resources = opened.move()
  return {
    /**
     * The output of kubectl, run as its user would, or a rejection with what it wrote to stderr; for the platform unless `url` is given.
     */
    async kubectl(command: string, input = '', url = kubeUrl) {
      return (await run(KUBECTL, argsOf(command, url), { env, input })).stdout
    },
    /** Starts a kubectl that goes on until it is killed. */
    watch: (command: string) => spawn(KUBECTL, argsOf(command), { env }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The manifest of a trigger on events of a type. */
export const TRIGGER = (type: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: extra }
spec:
  broker: default
  filter: { attributes: { type: ${type} } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: eventingaloha } }
`
