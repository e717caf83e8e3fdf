import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import type { ListenOptions } from '../src/index.ts'
import { createCertificate } from './certificate.ts'
import { answerOf, start } from './raw-client.ts'

const folders: string[] = []
/** Connections that {@link endTls} ends. */
export const clients: { destroy(): void }[] = []
/** Ends what the functions below began. */
export function endTls(): void {
  for (const client of clients.splice(0)) client.destroy()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
}

/** A pair of files; `write` replaces them. */
export function filesOf(pair = createCertificate()) {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  folders.push(folder)
  const certificateLocation = join(folder, 'tls.crt')
  const keyLocation = join(folder, 'tls.key')
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(certificateLocation, cert)
    writeFileSync(keyLocation, key)
  }
  write(pair)
  return { tls: { certificateLocation, keyLocation, passphrase: undefined, reloadMs: 20 }, write }
}

export const serve: RequestListener = (_req, res) => void res.end('served')

export function openTls(port: number, options: ConnectionOptions = {}): TLSSocket {
  const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  clients.push(client)
  return client
}

export async function ask(port: number, bytes: string, options: ConnectionOptions = {}) {
  const client = openTls(port, options)
  client.write(bytes)
  return await answerOf(client)
}

export async function startTls(handler: RequestListener = serve, options: Partial<ListenOptions> = {}) {
  const server = await start(handler, { tls: filesOf().tls, ...options })
  return { server, port: server.port }
}
