import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const EXTENSIONS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The first of the names that is a program on `PATH`. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => filesOf(folder, names)).find(isExecutable)
}

/** The browser that `CHROMIUM_PATH` names, or the first one on `PATH`. */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH'] ?? ''
  return given !== '' && isExecutable(given) ? given : findProgram(...CHROMIUM)
}

function filesOf(folder: string, names: readonly string[]): string[] {
  return names.flatMap((name) => EXTENSIONS.map((extension) => join(folder, `${name}${extension}`)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
