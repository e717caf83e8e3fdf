import type { TestTagDefinition } from 'vitest'
import { findChromium, findProgram } from '../find-program.ts'

/** Something that a machine may lack. Tests that need it have its name as a tag, and are skipped without it. */
export interface Need {
  /** The tag. */
  readonly name: string
  /** For people. */
  readonly description: string
  /** Undefined where only the test can find out: it is skipped by its own option then. */
  readonly isHere?: () => boolean
}

/** A tag of vitest.config.ts for each. The summary of `pnpm test` counts skipped tests by them. */
export const NEEDS: readonly Need[] = [
  { name: 'linux', description: 'Linux', isHere: () => process.platform === 'linux' },
  { name: 'root', description: 'a test run by root', isHere: () => process.getuid?.() === 0 },
  { name: 'chromium', description: 'Chromium (on PATH, or CHROMIUM_PATH)', isHere: () => findChromium() !== undefined },
  { name: 'kcat', description: 'kcat (on PATH, or KCAT)', isHere: () => names('KCAT')() || has('kcat')() },
  { name: 'pgbouncer', description: 'PgBouncer', isHere: has('pgbouncer') },
  { name: 'openssl', description: 'openssl', isHere: has('openssl') },
  { name: 'actionlint', description: 'actionlint', isHere: has('actionlint') },
  { name: 'kubectl', description: 'kubectl', isHere: has('kubectl') },
  { name: 'kustomize', description: 'kubectl 1.27 or kustomize 5' },
  { name: 'docker', description: 'a Docker engine and its images' },
  {
    name: 'java-client',
    description: "Kafka's Java client (KAFKA_CLIENTS_CLASSPATH)",
    isHere: names('KAFKA_CLIENTS_CLASSPATH'),
  },
  { name: 'python-client', description: "Confluent's Kafka client for Python (CONFLUENT_KAFKA_PYTHON)" },
  { name: 'python', description: 'Python 3', isHere: has('python3') },
  { name: 'go', description: 'Go', isHere: has('go') },
  { name: 'go-client', description: 'Go, with franz-go in its module cache' },
  { name: 'otel-python', description: 'OpenTelemetry for Python (OTEL_PYTHON)' },
  { name: 'described', description: 'a system with a description at /q/openapi' },
  { name: 'site', description: 'the site that pnpm site has built' },
  { name: 'data-folder', description: 'a data folder, and run in memory here' },
  { name: 'own-system', description: 'the system of pnpm start' },
  { name: 'foreign-system', description: 'a system that is not of pnpm start' },
  { name: 'system-log', description: 'a log of the system (--log)' },
]

/** For the option `tags` of Vitest. */
export function needTags(): TestTagDefinition[] {
  return NEEDS.map(({ name, description, isHere }) => ({
    name,
    description,
    ...(isHere?.() === false && { skip: true }),
  }))
}

/** What a skipped test lacks, by its tags; undefined when it has none. */
export function describeNeeds(tags: readonly string[]): string | undefined {
  const needs = NEEDS.filter(({ name }) => tags.includes(name))
  // Where all that can be looked up is here, the test has found out that something else is missing.
  const missing = needs.filter(({ isHere }) => isHere?.() === false)
  const named = missing.length > 0 ? missing : needs.filter(({ isHere }) => isHere === undefined)
  return named.length > 0 ? named.map(({ description }) => description).join(', and ') : needs[0]?.description
}

/** The names of what is here: test results depend on it. */
export function needsHere(): readonly string[] {
  return NEEDS.filter(({ isHere }) => isHere?.()).map(({ name }) => name)
}

function has(program: string): () => boolean {
  return () => findProgram(program) !== undefined
}

function names(variable: string): () => boolean {
  return () => (process.env[variable] ?? '') !== ''
}
