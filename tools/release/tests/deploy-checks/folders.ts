import { fileURLToPath } from 'node:url'
import type { App, Sink } from '@taproom/system'
import { system } from './taproom.ts'

export const DEPLOY = fileURLToPath(new URL('../../../../deploy', import.meta.url))

/** Every kustomization that can be applied by itself. */
export const OVERLAYS = ['development', 'production', 'knative', 'knative-v1beta1'] as const

const KAFKA = {
  'kafka/bootstrap-servers': 'kafka-1.example.net:9092,kafka-2.example.net:9092',
  'kafka-credentials/security-protocol': 'SSL',
}

/** Values of the secrets that an installation creates itself, by overlay and `name/key`. */
export const SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  production: {
    ...KAFKA,
    ...databases(Object.entries(system.apps).filter(([, { cluster }]) => cluster !== undefined)),
  },
  knative: { ...KAFKA, ...databases(Object.values(system.sinks).map((sink) => [sink.app, sink])) },
}

function databases(apps: readonly (readonly [app: string, Pick<App | Sink, 'needs'>])[]) {
  const own = apps.filter(([, { needs = [] }]) => needs.some(({ name }) => name === 'database'))
  return Object.fromEntries(
    own.map(([app]) => [`${app}-database/url`, `postgres://${app}:secret@postgresql.example.net/${app}`]),
  )
}
