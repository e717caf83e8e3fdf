import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import { openEventWays, type Ways } from './event-ways.ts'
import { isSame, sdkTable, type Tried } from './sdk-table.ts'
import { SDKS } from './sdks.ts'
import { VALUES } from './values.ts'

/** Programs of the SDKs are kept here, outside the checkout. */
const CACHE = join(homedir(), '.cache', 'taproom-sdks')

/** Sends every value with each SDK that can be made here; writes a table, and what the broker changed. True when that is nothing. */
export async function trySdks(names: readonly string[], write: (line: string) => void): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const commands: Record<string, readonly string[]> = {}
  await mkdir(CACHE, { recursive: true })
  for (const sdk of names) {
    try {
      const command = await SDKS[sdk]?.(CACHE)
      if (command !== undefined) commands[sdk] = command
    } catch (error) {
      write(`left out: ${sdk}, which cannot be made here: ${reasonOf(error)}`)
    }
  }
  const ways = await openEventWays(commands, opened)
  const tried: Tried[] = []
  for (const value of VALUES) {
    for (const sdk of Object.keys(commands)) tried.push({ sdk, value, ways: await ways.of(sdk, value) })
  }
  for (const line of sdkTable(tried)) write(line)
  const changed = tried.filter((each) => !isUnchanged(each.ways))
  for (const { sdk, value } of changed) write(`CHANGED: ${sdk} ${JSON.stringify(value)}`)
  return changed.length === 0
}

/** Returns true when a subscriber has the event from the broker as if the SDK had sent it there. */
function isUnchanged({ direct, broker, read }: Ways): boolean {
  if (typeof direct === 'string') return true
  return isSame(broker, direct) && JSON.stringify(read.broker) === JSON.stringify(read.direct)
}
