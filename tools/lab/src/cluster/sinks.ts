import { kubectl } from '../harness/kubectl.ts'

export const SINKS = ['eventingaloha', 'eventingbonjour']

/** A command that ends at once, and fails. */
export const CRASHES = ['node', '-e', 'process.exit(1)']

export interface RevisionChange {
  readonly image?: string
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

/** Deletes a sink and makes the same again, with a first revision of this name. */
export async function remakeSink(sink: string, revision: string, { command }: Pick<RevisionChange, 'command'>) {
  const { apiVersion, kind, metadata, spec } = JSON.parse(
    await kubectl(['get', 'service.serving.knative.dev', sink, '-o', 'json']),
  )
  const { name, namespace, labels } = metadata
  const [container] = spec.template.spec.containers
  const template = {
    metadata: { ...spec.template.metadata, name: revision },
    spec: { ...spec.template.spec, containers: [{ ...container, command }] },
  }
  await kubectl(['delete', 'service.serving.knative.dev', sink])
  const made = { apiVersion, kind, metadata: { name, namespace, labels }, spec: { template } }
  await kubectl(['apply', '--filename', '-'], JSON.stringify(made))
}

/** How often the containers of a revision were started again. */
export async function restarts(revision: string): Promise<number> {
  const counts = 'jsonpath={.items[*].status.containerStatuses[*].restartCount}'
  const times = await kubectl(['get', 'pods', '-l', `serving.knative.dev/revision=${revision}`, '-o', counts])
  return times.split(' ').reduce((sum, count) => sum + Number(count), 0)
}

/** Waits until what comes for a sink goes to this revision. */
export async function isServed(sink: string, revision: string): Promise<void> {
  const goesTo = `--for=jsonpath={.status.traffic[0].revisionName}=${revision}`
  await kubectl(['wait', goesTo, `service.serving.knative.dev/${sink}`, '--timeout=240s'])
}

/** Deletes both and makes them by an overlay: a revision that was there cannot be changed, and traffic that was sent to one stays there. */
export async function makeSinks(overlay = 'deploy/kubernetes/overlays/knative'): Promise<void> {
  await removeSinks()
  await kubectl(['apply', '-k', overlay])
  for (const sink of SINKS) await isServed(sink, `${sink}-v1`)
  // They may have lost their sinks meanwhile.
  await kubectl(['wait', '--for=condition=Ready', 'trigger', '--all', '--timeout=240s'])
}

/** With their revisions, whose names are free again. */
export async function removeSinks(): Promise<void> {
  await kubectl(['delete', 'service.serving.knative.dev', ...SINKS, '--ignore-not-found'])
  const revisions = `serving.knative.dev/service in (${SINKS.join(', ')})`
  await kubectl(['delete', 'revision.serving.knative.dev', '--selector', revisions, '--timeout=180s'])
}
