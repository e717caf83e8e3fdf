import { delimiter } from 'node:path'
import { run as runProgram } from '@taproom/processes'
import { REPOSITORY } from '../src/publish/published-packages.ts'

/** What a machine without this repository has: its own Node and npm, and none of pnpm's settings. */
export const MACHINE = {
  HOME: process.env['HOME'],
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('pnpm'))
    .join(delimiter),
}

/** Runs a program in a folder as a user would, and gives its stdout. */
export async function run(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await runProgram(command, args, { cwd: folder, env: MACHINE })
  return stdout
}

/** Runs a program of this repository in its folder, and gives its stdout. */
export async function runHere(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await runProgram(command, args, { cwd: REPOSITORY })
  return stdout
}
