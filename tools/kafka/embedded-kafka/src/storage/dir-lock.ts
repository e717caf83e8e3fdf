import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import { DataDirError } from '../errors.ts'
import { Folder } from './folder.ts'

/** Killed, and not yet asked for by its parent: the process is gone, its id is not. */
const ZOMBIE = 'Z'
/** Where they are behind the name in /proc/PID/stat, which may have blanks and brackets itself. */
const STATE_FIELD = 0
const START_TIME_FIELD = 19

/** The process id, and (where /proc exists) its start time, because ids are reused; undefined when it does not live. */
function identityOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined
  }
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
    return fields?.[STATE_FIELD] === ZOMBIE ? undefined : `${pid} ${fields?.[START_TIME_FIELD] ?? ''}`
  } catch {
    // No /proc on this system: the id alone must do.
    return `${pid} `
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // No lock file: the folder is free.
    return undefined
  }
}

/**
 * Locks a folder for this broker. The lock of a broker that was killed is taken over.
 * @throws {DataDirError} when another broker uses the folder
 */
export function lockDirectory(folder: string): { release(): void } {
  try {
    new Folder(folder).flush()
  } catch (cause) {
    throw new DataDirError(`the data directory ${folder} cannot be used: ${reasonOf(cause)}`, { cause })
  }
  const path = join(folder, 'lock')
  const holder = holderOf(path)
  if (holder !== undefined && holder === identityOf(Number(holder.split(' ')[0]))) {
    throw new DataDirError(`the data directory ${folder} is used by the broker of process ${holder.split(' ')[0]}`)
  }
  if (holder !== undefined) rmSync(path, { force: true })
  try {
    writeFileSync(path, identityOf(process.pid) ?? `${process.pid} `, { flag: 'wx' })
  } catch (cause) {
    throw new DataDirError(`the data directory ${folder} cannot be locked`, { cause })
  }
  return { release: () => rmSync(path, { force: true }) }
}
