import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { describe, expect, it } from 'vitest'
import * as errors from '../src/errors.ts'
import { authenticate, callerOf, createJwtVerifier, requireRole } from '../src/index.ts'
import { REFUSALS } from '../src/refusal.ts'
import { createDevIssuer } from '../src/testing.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The lines between `example` marks below: the README shows exactly these. */
const example = readFileSync(import.meta.filename, 'utf8')
  .split('// example\n')[1]
  ?.replaceAll(/^ {4}/gm, '')

describe('the README', () => {
  it('shows an example that works', async () => {
    const issuer = await createDevIssuer()
    const { publicKeyPem } = issuer
    const app = express()
    // example
    const verifier = await createJwtVerifier({ publicKey: publicKeyPem, issuers: ['https://issuer.taproom.example'] })
    app.use(authenticate(verifier))
    app.get('/beers', requireRole('Subscriber'), (req, res) => {
      res.send(`Cheers, ${callerOf(req)?.name}`)
    })
    // example
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/beers`
    const response = await fetch(url, { headers: { Authorization: `Bearer ${await issuer.sign({ user: 'duke' })}` } })
    expect(await response.text()).toBe('Cheers, duke@taproom.example')
    server.closeAllConnections()
    server.close()
  })

  it('shows the lines of that example', () => {
    expect(example).toBeDefined()
    expect(readme).toContain(example?.trim())
  })

  it('lists every error code and every reason', () => {
    const codes = [
      new errors.JwtConfigError('p', 'm'),
      new errors.InvalidTokenError('expired'),
      new errors.KeyFormatError('m'),
      new errors.KeyFetchError('m'),
    ]
    for (const { code } of codes) expect(readme).toContain(`\`${code}\``)
    for (const reason of Object.keys(REFUSALS)) expect(readme).toContain(`\`${reason}\``)
  })
})
