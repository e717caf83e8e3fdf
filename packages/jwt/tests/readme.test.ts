import { readFileSync } from 'node:fs'
import { markedExample, startHttpServer } from '@taproom/testkit'
import express from 'express'
import { describe, expect, it } from 'vitest'
import * as errors from '../src/errors.ts'
import { REFUSALS } from '../src/errors.ts'
import { authenticate, callerOf, createJwtVerifier, requireRole } from '../src/index.ts'
import { createDevIssuer } from '../src/testing/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

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
    await using server = await startHttpServer(app)
    const response = await fetch(`${server.url}/beers`, {
      headers: { Authorization: `Bearer ${await issuer.sign({ user: 'duke' })}` },
    })
    expect(await response.text()).toBe('Cheers, duke@taproom.example')
  })

  it('shows the lines of that example', () => {
    expect(readme).toContain(markedExample(import.meta.filename))
  })

  it('lists every error code and every reason', () => {
    const codes = [
      new errors.JwtConfigError('p', 'm'),
      new errors.InvalidTokenError('expired'),
      new errors.TokenCheckError('m'),
      new errors.KeyFormatError('m'),
      new errors.KeyFetchError('m'),
    ]
    for (const { code } of codes) expect(readme).toContain(`\`${code}\``)
    for (const reason of Object.keys(REFUSALS)) expect(readme).toContain(`\`${reason}\``)
  })
})
