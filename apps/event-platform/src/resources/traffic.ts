import type { FieldReader } from './field-reader.ts'

/** Checks `spec.traffic`. Only the latest revision runs on this machine, so any other split is refused instead of silently ignored. */
export function checkTraffic(traffic: FieldReader, revisionName: string | undefined): void {
  const [entry, ...others] = traffic.items()
  if (others.length > 0) {
    traffic.problem(`must be one entry: ${ALL_TO_LATEST}`)
    return
  }
  if (entry?.required().fields('latestRevision', 'percent', 'revisionName', 'tag').object() === undefined) return
  if (entry.child('tag').isPresent)
    entry.child('tag').problem('is not supported on one machine: no revision has an address')
  if (entry.child('percent').value !== 100) entry.child('percent').problem(`must be 100: ${ALL_TO_LATEST}`)
  const isLatest = entry.child('latestRevision').boolean()
  const name = entry.child('revisionName').string()
  if (name === undefined) {
    if (isLatest === false) entry.child('latestRevision').problem(`must be true: ${ALL_TO_LATEST}`)
    return
  }
  if (isLatest === true) entry.child('revisionName').problem('must be absent when latestRevision is true')
  if (name === revisionName) return
  const latest =
    revisionName === undefined ? 'must be absent, the template names no revision' : `must be "${revisionName}"`
  entry.child('revisionName').problem(`${latest}: ${ALL_TO_LATEST}`)
}

const ALL_TO_LATEST = 'this platform sends 100 percent to the latest revision'
