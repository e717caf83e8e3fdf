import { startLoad } from '../../harness/http-load.ts'
import { startServer } from '../../harness/server-process.ts'
import type { Area } from '../area.ts'
import { startRemote } from '../films/movies.ts'

/** The cost of a request that asks a remote for six films, by the client of @taproom/http and by undici. */
export async function openHttpClientArea(opened: AsyncDisposableStack): Promise<Area> {
  const remote = opened.use(await startRemote())
  const start = (client: string) =>
    startServer(new URL('./six-films-main.ts', import.meta.url), { args: [client, remote.url] })
  const ours = opened.use(await start('taproom'))
  const theirs = opened.use(await start('undici'))
  const load = opened.use(startLoad())
  const request = {
    path: '/films',
    expected: await (await fetch(`${ours.url}/films`)).text(),
    seconds: 2,
  }
  return {
    unit: 'requests per second of server CPU',
    rows: [
      {
        what: 'six films of a remote',
        ours: load.contender('HttpClient', ours, request),
        peer: load.contender('undici', theirs, request),
      },
    ],
  }
}
