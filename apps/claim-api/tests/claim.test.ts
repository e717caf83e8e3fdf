import type { DevClaims } from '@taproom/jwt/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IssuedClaimService, startIssuedClaimService } from './claim-service.ts'

describe('GET /secure/claim', () => {
  let service: IssuedClaimService
  beforeAll(async () => {
    service = await startIssuedClaimService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const send = (init?: RequestInit) => fetch(`${service.url}/secure/claim`, init)
  const withToken = (token: string) => send({ headers: { Authorization: `Bearer ${token}` } })
  const withClaims = async (claims?: DevClaims) => withToken(await service.issuer.sign(claims))

  async function expect401(response: Response, challenge: RegExp): Promise<void> {
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(challenge)
    expect(response.headers.get('content-length')).toBe('0')
    expect(await response.text()).toBe('')
  }

  it('answers the preferred_username of a Subscriber as plain text', async () => {
    const response = await withClaims({ user: 'duke', groups: ['Tester', 'Subscriber'] })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe('duke')
  })

  it('answers a name outside of ASCII in UTF-8', async () => {
    const response = await withClaims({ preferred_username: 'Žofie 🍺' })
    expect(await response.text()).toBe('Žofie 🍺')
  })

  it('decisions 1.1 and 1.2: no token, an empty one or another scheme is 401 with a bare challenge', async () => {
    await expect401(await send(), /^Bearer realm="taproom"$/)
    await expect401(await send({ headers: { Authorization: 'Bearer ' } }), /^Bearer realm="taproom"$/)
    await expect401(await send({ headers: { Authorization: 'Basic dTpw' } }), /^Bearer realm="taproom"$/)
  })

  it('decisions 1.3: an invalid, modified, expired or wrong-issuer token is 401, empty, with the reason', async () => {
    const token = await service.issuer.sign()
    const [header, , signature] = token.split('.')
    const payload = (await service.issuer.sign({ user: 'mallory' })).split('.')[1]
    await expect401(
      await withToken('invalid'),
      /^Bearer realm="taproom", error="invalid_token", error_description=".+"$/,
    )
    await expect401(
      await withToken(`${header}.${payload}.${signature}`),
      /error_description="The signature does not match"/,
    )
    await expect401(await withClaims({ expiresInSeconds: -10 }), /error_description="The token has expired"/)
    await expect401(
      await withClaims({ iss: 'https://other.example' }),
      /error_description="The issuer is not accepted"/,
    )
  })

  it('decisions 1.5: a valid token without the role is 403 Forbidden exactly as the contract shows it', async () => {
    const response = await withClaims({ groups: ['Tester'] })
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-length')).toBe('9')
    expect(await response.text()).toBe('Forbidden')
  })

  it('decisions 1.6: an invalid token is 401 even if the role is missing too', async () => {
    await expect401(await withClaims({ groups: [], expiresInSeconds: -10 }), /invalid_token/)
  })

  it.each([[undefined], [5], [null], [['duke']]])('decisions 1.7: a preferred_username of %j is 204', async (value) => {
    const response = await withClaims({ preferred_username: value })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })

  it('decisions 1.8: a token that expired a second ago is refused', async () => {
    await expect401(await withClaims({ expiresInSeconds: -1 }), /expired/)
  })

  it('decisions 1.11 and 1.12: only an array of strings in groups gives the role', async () => {
    for (const groups of ['Subscriber', { role: 'Subscriber' }, [['Subscriber']], ['Subscriber', 1], undefined]) {
      expect((await withClaims({ groups })).status).toBe(403)
    }
    expect((await withClaims({ groups: ['x'], roleMappings: { x: 'Subscriber' } })).status).toBe(403)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'decisions 1.74: %s is 405 with Allow, token or not',
    async (method) => {
      const Authorization = `Bearer ${await service.issuer.sign()}`
      for (const headers of [{}, { Authorization }, { Authorization: 'Bearer bad' }]) {
        const response = await send({ method, headers })
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('GET, HEAD')
        expect(response.headers.get('content-type')).toContain('application/problem+json')
      }
    },
  )

  it('answers HEAD like GET without the body', async () => {
    const response = await send({ method: 'HEAD', headers: { Authorization: `Bearer ${await service.issuer.sign()}` } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('4')
    expect((await send({ method: 'HEAD' })).status).toBe(401)
  })

  it('no cache keeps an answer, whatever it is', async () => {
    const Authorization = `Bearer ${await service.issuer.sign()}`
    const two = `${Authorization}, ${Authorization}`
    const answers = {
      200: await send({ headers: { Authorization } }),
      204: await withClaims({ preferred_username: undefined }),
      400: await send({ headers: { Authorization: two } }),
      401: await send(),
      403: await withClaims({ groups: [] }),
      405: await send({ method: 'POST', headers: { Authorization } }),
    }
    for (const [status, response] of Object.entries(answers)) {
      expect(response.status).toBe(Number(status))
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const head = await send({ method: 'HEAD', headers: { Authorization } })
    expect(head.headers.get('cache-control')).toBe('no-store')
  })

  it.each(['a\r\nSet-Cookie: x=1\r\n\r\n<script>', '\u0000\u001b[2J', '\u2028\u202e', '<html>'])(
    'a preferred_username of %j is the body and nothing else, as plain text',
    async (name) => {
      const response = await withClaims({ preferred_username: name })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(await response.text()).toBe(name)
    },
  )

  it('decisions 1.74: an unknown path is 404 problem+json', async () => {
    const response = await fetch(`${service.url}/secure`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
  })
})
