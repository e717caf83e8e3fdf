import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cpuSeconds } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import { type Contender, contender } from '../../harness/contender.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { startKafka } from '../broker.ts'
import { BROKER_MANIFEST, idleTrigger, startPlatform } from '../events/broker-system.ts'
import type { Curve } from './curve.ts'

/** With the broker, less than the 1000 objects that the platform keeps. */
const SIZES = [9, 90, 900]

/** Files with a manifest of a trigger each. */
export async function openManifestsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const points: { size: number; contender: Contender }[] = []
  for (const size of SIZES) points.push({ size, contender: await openStarts(size, opened) })
  return {
    of: 'files',
    what: `CPU time of ${APPS.events} from its start until the triggers of all manifests are ready`,
    points,
  }
}

async function openStarts(size: number, opened: AsyncDisposableStack): Promise<Contender> {
  const folder = await temporaryFolder(opened, 'bench-manifests')
  await writeFile(join(folder, 'broker.yaml'), BROKER_MANIFEST)
  for (let index = 0; index < size; index += 1) {
    await writeFile(join(folder, `trigger-${index}.yaml`), idleTrigger(index))
  }
  const kafka = opened.use(await startKafka())
  return contender(`${size} manifests`, async () => {
    await using stopped = new AsyncDisposableStack()
    const startedAt = performance.now()
    const { pid } = await startPlatform({ kafka, folder }, stopped)
    return 1 / (cpuSeconds(pid) ?? (performance.now() - startedAt) / 1000)
  })
}
