import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttpServer } from '@taproom/testkit'

/** An invented film as the remote service sends it; episode 10 + id. */
export function remoteFilm(id: number, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: `Remote title ${id}`,
    episode_id: 10 + id,
    opening_crawl: `First line ${id}\r\nsecond line`,
    director: `Director ${id}`,
    producer: `Producer ${id}`,
    release_date: '1900-01-01',
    characters: [],
    ...overrides,
  }
}

export type FilmAnswer = (id: number, req: IncomingMessage, res: ServerResponse) => void

export const answerFilm: FilmAnswer = (id, _req, res) => {
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(remoteFilm(id)))
}

/** Redirects to the address with a slash, then answers as the test says. */
export async function startFilmRemote(answer: FilmAnswer = answerFilm) {
  let current = answer
  const asked: number[] = []
  const server = await startHttpServer((req, res) => {
    const [, id, slash] = /^\/api\/films\/(\d+)(\/?)$/.exec(req.url ?? '') ?? []
    if (req.url === '/api/films/') return void res.end('[]')
    if (id === undefined) return void res.writeHead(404).end()
    if (slash === '') return void res.writeHead(301, { location: `/api/films/${id}/` }).end()
    asked.push(Number(id))
    current(Number(id), req, res)
  })
  return {
    url: `${server.url}/api`,
    /** Ids in the order in which calls for them arrived, redirects not counted. */
    asked,
    requests: server.requests,
    answerWith: (next: FilmAnswer) => {
      current = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export const sendStatus =
  (status: number): FilmAnswer =>
  (_id, _req, res) =>
    void res.writeHead(status).end('{"detail":"no"}')
export const sendText =
  (text: string): FilmAnswer =>
  (_id, _req, res) =>
    void res.end(text)
export const reset: FilmAnswer = (_id, req) => void req.socket.resetAndDestroy()
export const hang: FilmAnswer = () => undefined
