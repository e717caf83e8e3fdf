import { describe, expect, it } from 'vitest'
import { startIssuedClaimService } from './claim-service.ts'

describe('health of claim-api', () => {
  const status = async (url: string) => (await fetch(url)).status

  it('reports its liveness and its key, without a token', async () => {
    await using service = await startIssuedClaimService()
    const response = await fetch(`${service.url}/q/health`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(await response.json()).toEqual({
      status: 'UP',
      checks: [
        { name: "I'm alive", status: 'UP' },
        { name: 'JWT verification keys', status: 'UP', data: { location: 'inline', keys: 1 } },
        { name: 'Process', status: 'UP', data: expect.anything() },
      ],
    })
  })

  it('decisions 1.36: moves with HEALTH_ROOT_PATH', async () => {
    await using service = await startIssuedClaimService({ HEALTH_ROOT_PATH: '/health' })
    expect(await status(`${service.url}/health/ready`)).toBe(200)
    expect(await status(`${service.url}/q/health/ready`)).toBe(404)
  })

  it('decisions 1.37: has the page in development mode only', async () => {
    await using development = await startIssuedClaimService()
    await using production = await startIssuedClaimService({ NODE_ENV: 'production' })
    expect(await status(`${development.url}/q/health-ui/`)).toBe(200)
    expect(await status(`${production.url}/q/health-ui/`)).toBe(404)
  })

  it('decisions 1.75: is not ready from the shutdown signal on, and still serves', async () => {
    const shutdown = new AbortController()
    await using service = await startIssuedClaimService({}, shutdown.signal)
    shutdown.abort()
    expect(await status(`${service.url}/q/health/ready`)).toBe(503)
    expect(await status(`${service.url}/q/health/live`)).toBe(200)
    expect(await status(`${service.url}/secure/claim`)).toBe(401)
  })
})
