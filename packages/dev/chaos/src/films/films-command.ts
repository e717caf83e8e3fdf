import { parseArgs } from 'node:util'
import { clockSeed, positive, whole } from '../harness/arguments.ts'
import { createRandom } from '../harness/random.ts'
import { untilSignal } from '../harness/until-signal.ts'
import { runFilms } from './films-run.ts'

export const FILMS_USAGE = 'usage: pnpm chaos films [--minutes 10] [--clients 200] [--seed NUMBER]'

/** `pnpm chaos films`: movie-api while its remote flaps; true when nothing hung, broke or grew. */
export async function runFilmsCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      clients: { type: 'string', default: '200' },
      seed: { type: 'string', default: clockSeed() },
    },
  })
  write(`seed ${values.seed}`)
  const { findings } = await runFilms({
    durationMs: positive('minutes', values.minutes, FILMS_USAGE) * 60_000,
    clients: whole('clients', values.clients, FILMS_USAGE),
    random: createRandom(whole('seed', values.seed, FILMS_USAGE)).next,
    signal: untilSignal(),
    write,
  })
  for (const finding of findings) write(`BROKEN: ${finding}`)
  write(findings.length === 0 ? 'nothing hung, broke or grew' : `${findings.length} findings`)
  return findings.length === 0
}
