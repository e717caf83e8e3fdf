import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
/** The issuer of the system's `system.ts`, which is not the default one. */
export const DEVELOPMENT = 'https://development.example'

/** Starts a system of one app that takes tokens of the given issuer. */
export const SYSTEM = `import { defineSystem, tokenIssuer } from './tools/system/src/index.ts'

export const system = defineSystem({
  name: 'guarded',
  apps: { 'claim-api': { serves: ['/secure/claim'], needs: [tokenIssuer({ development: '${DEVELOPMENT}' })] } },
})
`

/** A folder with that system. */
export async function makeGuardedSystem() {
  const root = await mkdtemp(join(tmpdir(), 'taproom-issuer-'))
  await mkdir(join(root, 'apps'))
  await symlink(join(REPOSITORY, 'packages'), join(root, 'packages'))
  await symlink(join(REPOSITORY, 'tools'), join(root, 'tools'))
  await symlink(join(REPOSITORY, 'apps/claim-api'), join(root, 'apps/claim-api'))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'system.ts'), SYSTEM)
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

/** What a token says, unverified. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(String(Buffer.from(token.split('.')[1] ?? '', 'base64url')))
}
