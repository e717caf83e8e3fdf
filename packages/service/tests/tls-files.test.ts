import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { eventually } from '@taproom/testkit'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigError, createBareApp, kernelConfig, parseEnv } from '../src/index.ts'
import { createCertificate } from './certificate.ts'
import { start } from './raw-client.ts'
import { endTls, filesOf, openTls, serve, startTls } from './tls-server.ts'

afterEach(endTls)

/** The last certificate of the chain has other text in it, or no end. */
function brokenChain(text: string) {
  const { cert, key } = createCertificate()
  const end = cert.lastIndexOf('-----END')
  return { cert: text === '' ? cert.slice(0, end - 100) : `${cert.slice(0, end)}${text}\n${cert.slice(end)}`, key }
}

describe('decisions 3.45: certificate and key', () => {
  it.each([
    ['no certificate', { cert: 'x' }, 'HTTP_SSL_CERTIFICATE_LOCATION'],
    ['no key', { key: 'x' }, 'HTTP_SSL_KEY_LOCATION'],
    ['another certificate’s key', { key: createCertificate().key }, 'is not the key of HTTP_SSL_CERTIFICATE_LOCATION'],
    ['a certificate that has expired', createCertificate({ days: -0.5 }), 'HTTP_SSL_CERTIFICATE_LOCATION'],
    ['a chain that is broken further on', brokenChain('!'), /HTTP_SSL_CERTIFICATE_LOCATION=.*cannot be used/],
    ['a chain that is still being written', brokenChain(''), /HTTP_SSL_CERTIFICATE_LOCATION=.*ends within/],
    ['a key too short for TLS', createCertificate({ modulusBits: 1024 }), /HTTP_SSL_CERTIFICATE_LOCATION=.*too small/],
    ['a file too large', { cert: 'x'.repeat(1_048_577) }, 'is larger than 1048576 bytes'],
  ])('%s is an error that names the variable', async (_, change, named) => {
    const { tls } = filesOf({ ...createCertificate(), ...change })
    const started = start(serve, { tls })
    await expect(started).rejects.toThrow(ConfigError)
    await expect(started).rejects.toThrow(named)
  })

  it('a file that is not there is an error that names the variable', async () => {
    const { tls } = filesOf()
    const started = start(serve, { tls: { ...tls, keyLocation: `${tls.keyLocation}.none` } })
    await expect(started).rejects.toThrow(/HTTP_SSL_KEY_LOCATION=.*cannot be read \(ENOENT\)/)
  })

  it('a pipe is refused with an error that names the variable, and is not waited for', async () => {
    const { tls } = filesOf()
    const keyLocation = `${tls.keyLocation}.pipe`
    execFileSync('mkfifo', [keyLocation])
    await expect(start(serve, { tls: { ...tls, keyLocation } })).rejects.toThrow(
      /HTTP_SSL_KEY_LOCATION=.*is not a file/,
    )
  })

  it('are needed both', () => {
    expect(() => parseEnv({ HTTP_SSL_CERTIFICATE_LOCATION: 'a' }, kernelConfig)).toThrow(
      'HTTP_SSL_KEY_LOCATION: is not set',
    )
    expect(() => parseEnv({ HTTP_SSL_KEY_LOCATION: 'a' }, kernelConfig)).toThrow(
      'HTTP_SSL_CERTIFICATE_LOCATION: is not set',
    )
  })

  it('are reloaded when they change; broken files are logged once, and the old ones stay in use', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const { tls, write } = filesOf()
    const { port } = await startTls(createBareApp({ log, routes: [(_req, res) => res.end('served')] }), { tls })
    const serialOf = async () => {
      const client = openTls(port)
      await once(client, 'secureConnect')
      const { fingerprint256 } = client.getPeerCertificate()
      client.destroy()
      return fingerprint256
    }
    const linesOf = (msg: string) => lines.filter((line) => line['msg'] === msg)
    const old = await serialOf()

    // The key alone, and whole: what is found between two writes may be broken in another way.
    writeFileSync(`${tls.keyLocation}.new`, 'broken')
    renameSync(`${tls.keyLocation}.new`, tls.keyLocation)
    const broken = 'new certificate not used, the old one stays'
    await eventually(() => expect(linesOf(broken)).toHaveLength(1))
    expect(await serialOf()).toBe(old)

    write(createCertificate())
    await eventually(() => expect(linesOf('certificate replaced')).toHaveLength(1))
    expect(await serialOf()).not.toBe(old)
    const client = openTls(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
    await expect(once(client, 'secureConnect')).rejects.toThrow()
  })
})
