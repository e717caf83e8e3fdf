import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemFault } from './faulty-system.ts'

const TO = 'broker: default, subscriber: {uri: "http://example.org/"}'
const trigger = (spec: string) =>
  `apiVersion: eventing.knative.dev/v1\nkind: Trigger\nmetadata: {name: broken, namespace: default}\nspec: {${spec}}\n`

/** By file: its text, and what the verdict says of it. */
const BROKEN: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a.yaml': ['a: [', /^a\.yaml refused: /],
  'b.yaml': ['apiVersion: eventing.knative.dev/v1\nkind: Triger\nmetadata: {name: b}\n', /^b\.yaml refused: .*kind/],
  'c.yaml': [trigger('broker: default'), /^c\.yaml refused: spec\.subscriber/],
  'd.yaml': [trigger(`${TO}, filters: [{exact: {Type: x}}]`), /^d\.yaml refused: spec\.filters\[0\]\.exact\.Type/],
  'e.yaml': [trigger(`${TO}, filtres: []`), /^e\.yaml refused: .*filtres/],
}

/** Manifests that the event platform refuses. */
export const manifestFaults: readonly SystemFault[] = Object.entries(BROKEN).map(([file, [text, problem]]) => ({
  name: `broken manifest ${file}`,
  part: `manifest/${file}`,
  problem,
  make: ({ manifests }) => writeFile(join(manifests, file), text),
}))
