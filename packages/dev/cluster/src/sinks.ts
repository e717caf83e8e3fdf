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
  const goesTo = `--for=jsonpath={.status.traffic[0].revisionName}=${revision}`
  await kubectl(['wait', goesTo, `service.serving.knative.dev/${sink}`, '--timeout=240s'])
}

/** Makes both anew, by an overlay: a revision that was there cannot be changed, and traffic that was sent to one stays there. */
export async function makeSinks(overlay = 'deploy/kubernetes/overlays/knative'): Promise<void> {
  await removeSinks()
  await kubectl(['apply', '-k', overlay])
  for (const sink of SINKS) await isServed(sink, `${sink}-v1`)
}

/** With their revisions, whose names are free again. */
export async function removeSinks(): Promise<void> {
  await kubectl(['delete', 'service.serving.knative.dev', ...SINKS, '--ignore-not-found'])
  const revisions = `serving.knative.dev/service in (${SINKS.join(', ')})`
  await kubectl(['delete', 'revision.serving.knative.dev', '--selector', revisions, '--timeout=180s'])
}
