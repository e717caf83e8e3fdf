import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SHIPPED = fileURLToPath(new URL('../../../../../deploy/knative', import.meta.url))

/** The shipped manifests, and triggers of the scenario, whose subscriber is `subscriberUrl`. */
export async function writeManifests(folder: string, subscriberUrl: string): Promise<void> {
  const shipped = (await readdir(SHIPPED)).filter((name) => /^\d{3}-/.test(name))
  await Promise.all(shipped.map((name) => copyFile(join(SHIPPED, name), join(folder, name))))
  const uri = (path: string) => `{ uri: "${subscriberUrl}/${path}" }`
  const aloha = '{ ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: eventingaloha } }'
  const triggers = [
    trigger('all', '', uri('all')),
    trigger('only-aloha', 'aloha', aloha),
    trigger('refusing', 'refused', uri('refusing'), `delivery: { retry: 0, deadLetterSink: ${uri('letters')} }`),
  ]
  await writeFile(join(folder, '500-chaos.yaml'), triggers.join('---'))
}

function trigger(name: string, type: string, subscriber: string, delivery = ''): string {
  return `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec:
  broker: default
  filter: { attributes: { type: "${type}" } }
  subscriber: ${subscriber}
  ${delivery}
`
}
