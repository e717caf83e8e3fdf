import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { COMPILED_CODE } from '@taproom/bundles/compiled-code'
import { findRoot } from './system-root.ts'

/**
 * Lets Node keep what it compiles, of this command and of all that it starts, with what is installed for the system that a folder belongs
 * to. Where the caller has set `NODE_COMPILE_CACHE`, that is where Node keeps it.
 */
export function keepCompiledCode(cwd: string): void {
  const { env } = process
  const root = findRoot(cwd)
  if (env['NODE_COMPILE_CACHE'] || root === undefined || !existsSync(join(root, 'node_modules'))) return
  const folder = join(root, COMPILED_CODE)
  env['NODE_COMPILE_CACHE'] = folder
  enableCompileCache(folder)
}
