import { APPS } from '../../harness/apps.ts'
import { LOAD_CORE } from '../../harness/cores.ts'
import { type ServerProcess, startServer } from '../../harness/server-process.ts'
import { startBundle } from '../bundled.ts'

/** Starts a remote film service, on the core of the load, that takes this many milliseconds for every film. */
export function startRemote(latencyMs = 0): Promise<ServerProcess> {
  return startServer(new URL('./film-remote-main.ts', import.meta.url), { args: [String(latencyMs)], core: LOAD_CORE })
}

/** Starts the app of films on a file of SQLite, with the films of the contract where it is new. */
export async function startMovies(file: string, remoteUrl: string): Promise<ServerProcess> {
  return startBundle(APPS.films, {
    env: { DATABASE_URL: `sqlite:${file}`, FILM_SERVICE_URL: remoteUrl, LOG_LEVEL: 'info' },
  })
}
