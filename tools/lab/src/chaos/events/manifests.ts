import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyShipped, eventing } from '../../harness/manifests.ts'

const ALOHA = { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'eventingaloha' } }

/** The shipped manifests, and triggers of the scenario, whose subscriber is `subscriberUrl`. */
export async function writeManifests(folder: string, subscriberUrl: string): Promise<void> {
  await copyShipped(folder, /^\d{3}-/)
  const at = (path: string) => ({ uri: `${subscriberUrl}/${path}` })
  const trigger = (name: string, type: string, subscriber: object, delivery?: object) =>
    eventing('Trigger', name, { broker: 'default', filter: { attributes: { type } }, subscriber, delivery })
  const triggers = [
    trigger('all', '', at('all')),
    trigger('only-aloha', 'aloha', ALOHA),
    trigger('refusing', 'refused', at('refusing'), { retry: 0, deadLetterSink: at('letters') }),
  ]
  await writeFile(join(folder, '500-chaos.yaml'), triggers.join('\n---\n'))
}
