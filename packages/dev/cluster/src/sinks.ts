import { kubectl } from './kubectl.ts'

export const SINKS = ['eventingaloha', 'eventingbonjour']

export interface RevisionChange {
  readonly image?: string
  /** Instead of the image's own. */
  readonly command?: readonly string[]
}

/** Gives a sink another revision of this name. */
export async function changeSink(sink: string, revision: string, { image, command = [] }: RevisionChange = {}) {
  const template = '/spec/template'
  const container = `${template}/spec/containers/0`
  const patch = [
    { op: 'replace', path: `${template}/metadata/name`, value: revision },
    { op: 'add', path: `${container}/command`, value: command },
    ...(image === undefined ? [] : [{ op: 'replace', path: `${container}/image`, value: image }]),
  ]
  await kubectl(['patch', 'service.serving.knative.dev', sink, '--type=json', '--patch', JSON.stringify(patch)])
}

/** Waits until what comes for a sink goes to this revision. */
export async function isServed(sink: string, revision: string): Promise<void> {
  const latest = `--for=jsonpath={.status.latestReadyRevisionName}=${revision}`
  await kubectl(['wait', latest, `service.serving.knative.dev/${sink}`, '--timeout=240s'])
}

/** A revision that was there cannot be made again, so they go as a whole. */
export async function removeSinks(): Promise<void> {
  await kubectl(['delete', 'service.serving.knative.dev', ...SINKS, '--ignore-not-found'])
}
