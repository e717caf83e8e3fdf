import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SystemFiles } from '@taproom/start'
import type { System } from '@taproom/system'
import { CliError } from './errors.ts'
import { findRoot, SYSTEM_FILE } from './system-root.ts'

/**
 * The description in a folder's `system.ts`.
 *
 * @throws {CliError} when the file does not export one
 */
async function loadSystem(root: string, query = ''): Promise<System> {
  const file = join(root, SYSTEM_FILE)
  const { system }: { readonly system?: System } = await import(pathToFileURL(file).href + query)
  if (typeof system?.tryIt === 'function') return system
  throw new CliError(`${file} has no system: expected \`export const system = defineSystem({ … })\``)
}

/**
 * The description as the file is now; what the file imports is as it was when it was first loaded.
 *
 * @throws {CliError} when the file does not export one
 */
export function loadSystemAgain(root: string): Promise<System> {
  // Node loads a file once for each URL.
  return loadSystem(root, `?changed=${Date.now()}`)
}

/**
 * The folder of the system that a command line is for; for one that asks for help, which is the same everywhere, the folder it is in.
 *
 * @throws {CliError} when there is none
 */
export function rootFor(args: readonly string[]): string {
  const from = process.cwd()
  const root = asksForHelp(args) ? from : findRoot(from)
  if (root === undefined) throw new CliError(`there is no ${SYSTEM_FILE} in ${from}, nor in a folder above it`)
  return root
}

/**
 * That folder and its system, which for a command line that asks for help is an empty one.
 *
 * @throws {CliError} when there is none
 */
export async function placeOf(args: readonly string[]): Promise<{ readonly root: string; readonly system: System }> {
  const root = rootFor(args)
  if (!asksForHelp(args)) return { root, system: await loadSystem(root) }
  const { defineSystem } = await import('@taproom/system')
  return { root, system: defineSystem({ name: 'help', apps: {} }) }
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** Where the sources of the system in a folder are, and the programs that this package brings. */
export function systemFiles(root: string): SystemFiles {
  return { root, program: (name) => fileURLToPath(import.meta.resolve(name)) }
}
