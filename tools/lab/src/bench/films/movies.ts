import { APPS } from '../../harness/apps.ts'
import { startBundle } from '../bundled.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

/** Starts a remote film service that takes this many milliseconds for every film. */
export function startRemote(latencyMs: number): Promise<ServerProcess> {
  return startServer(new URL('./slow-remote-main.ts', import.meta.url), { args: [String(latencyMs)] })
}

/** Starts the app of films on a file of SQLite, with the films of the contract where it is new. */
export async function startMovies(file: string, remoteUrl: string): Promise<ServerProcess> {
  return startBundle(APPS.films, {
    env: { DATABASE_URL: `sqlite:${file}`, FILM_SERVICE_URL: remoteUrl, LOG_LEVEL: 'info' },
  })
}
