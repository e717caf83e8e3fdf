import { fetchAlone } from '@taproom/openapi/testing'
import { type WaitOptions, waitFor } from './wait-for.ts'

/** Status of a health endpoint and its checks by name. */
export async function readHealth(url: string, kind: 'live' | 'ready' | 'well') {
  const response = await fetchAlone(`${url}/q/health/${kind}`)
  const { checks } = (await response.json()) as { checks: { name: string; status: string; data?: object }[] }
  return { status: response.status, checks: Object.fromEntries(checks.map((check) => [check.name, check])) }
}

/** Waits until the service at an address is ready by its own health endpoint. */
export async function waitUntilReady(url: string, options?: WaitOptions): Promise<void> {
  await waitFor(`${url} to be ready`, async () => (await readHealth(url, 'ready')).status === 200, options)
}

/** One value of `/q/metrics` by its name there, `name` or `name{label="value"}`; undefined when it does not exist. */
export async function readMetric(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetchAlone(`${url}/q/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
