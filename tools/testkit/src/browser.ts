import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './find-program.ts'

/** Root runs it in CI. Nothing but the page asks other hosts. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts Chromium without a window: the one that `CHROMIUM_PATH` names, or the first one on `PATH`.
 *
 * @throws {Error} when there is none
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium is missing: put it on PATH, or set CHROMIUM_PATH')
  return await chromium.launch({ executablePath, args: FLAGS })
}
