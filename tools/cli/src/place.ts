import { fileURLToPath } from 'node:url'
import type { SystemFiles } from '@taproom/start'
import type { System } from '@taproom/system'
import { CliError } from './errors.ts'
import { SystemFile } from './system-file.ts'
import { findRoot, SYSTEM_FILE } from './system-root.ts'

/** The system that a command line is for. */
export interface Place {
  readonly root: string
  readonly file: SystemFile
  /** As `file` describes it. */
  readonly system: System
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
export async function placeOf(args: readonly string[]): Promise<Place> {
  const root = rootFor(args)
  const file = new SystemFile(root)
  if (!asksForHelp(args)) return { root, file, system: await file.describe() }
  const { defineSystem } = await import('@taproom/system')
  return { root, file, system: defineSystem({ name: 'help', apps: {} }) }
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** Where the sources of the system in a folder are, and the programs that this package brings. */
export function systemFiles(root: string): SystemFiles {
  return { root, program: (name) => fileURLToPath(import.meta.resolve(name)) }
}
