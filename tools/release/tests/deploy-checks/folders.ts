import { fileURLToPath } from 'node:url'

export const DEPLOY = fileURLToPath(new URL('../../../../deploy', import.meta.url))

/** Every kustomization that can be applied by itself. */
export const OVERLAYS = ['development', 'production', 'knative', 'knative-v1beta1'] as const

/** Values of the secrets that an installation creates itself, by overlay and `name/key`. */
export const SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  production: {
    'kafka/bootstrap-servers': 'kafka-1.example.net:9092,kafka-2.example.net:9092',
    'kafka-credentials/security-protocol': 'SSL',
    'movie-api-database/url': 'postgres://taproom:secret@postgresql.example.net/taproom',
  },
}
