/** `pnpm materials [FILE]`: writes the bill of materials of all images (CycloneDX) and checks its licences. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { type BillOfMaterials, reportLicenses } from '../src/images/licenses.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const IN_IMAGES = ['--filter', './apps/*', '--filter', './tools/start', '--filter', './tools/standins']

async function main(): Promise<void> {
  const file = resolve(process.argv[2] ?? 'taproom.cdx.json')
  await run('pnpm', [...IN_IMAGES, 'sbom', '--sbom-format', 'cyclonedx', '--prod', '--out', file], { cwd: ROOT })
  const bill: BillOfMaterials = JSON.parse(await readFile(file, 'utf8'))
  const { byLicense, refused } = reportLicenses(bill)
  for (const [license, components] of [...byLicense].toSorted()) {
    console.log(`${license} (${components.length}): ${components.toSorted().join(', ')}`)
  }
  console.log(`${bill.components.length} components in ${file}`)
  if (bill.components.length === 0) throw new Error('the bill is empty')
  if (refused.length > 0) throw new Error(`not on the list of allowed licences:\n${refused.join('\n')}`)
}

main().catch((error: unknown) => {
  process.stderr.write(`pnpm materials: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
