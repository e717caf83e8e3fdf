import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileAt } from './apps.ts'

const SHIPPED = fileURLToPath(fileAt('deploy/knative'))

/** An object of Knative Eventing as it stands in a file: JSON, which is YAML. */
export function eventing(kind: 'Broker' | 'Trigger', name: string, spec: object = {}): string {
  return JSON.stringify({ apiVersion: 'eventing.knative.dev/v1', kind, metadata: { name }, spec })
}

/** Copies the shipped manifests whose numbers match into a folder, which it makes. */
export async function copyShipped(folder: string, which: RegExp): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = (await readdir(SHIPPED)).filter((name) => which.test(name))
  await Promise.all(names.map((name) => copyFile(join(SHIPPED, name), join(folder, name))))
}
