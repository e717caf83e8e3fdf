import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { call, target } from './target.ts'

interface Report {
  status: string
  checks: { name: string; status: string; data?: Record<string, unknown> }[]
}

async function report(path: string): Promise<Report> {
  const response = await waitFor(`an answer of ${path}`, async () => {
    const answer = await call(path)
    // A check of a system of this suite's own may take too long for a moment: other tests keep its machine busy.
    return (answer.status === 200 || !target.isOwn) && answer
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return (await response.json()) as Report
}

function names({ checks }: Report): string[] {
  return checks.map((check) => check.name)
}

describe('contract 4.2: health endpoints', () => {
  it.each(['/q/health', '/q/health/live', '/q/health/ready', '/q/health/started'])(
    '%s is UP with a list of checks',
    async (path) => {
      const { status, checks } = await report(path)
      expect(status).toBe('UP')
      for (const check of checks) expect(check).toMatchObject({ name: expect.any(String), status: 'UP' })
    },
  )

  it('live has the liveness check only, ready the readiness checks only, the root both', async () => {
    const [live, ready, all] = [
      await report('/q/health/live'),
      await report('/q/health/ready'),
      await report('/q/health'),
    ]
    expect(names(live)).toContain("I'm alive")
    expect(names(ready)).not.toContain("I'm alive")
    expect(names(ready)).toEqual(
      expect.arrayContaining(['ExternalURL health check', 'Database connections health check']),
    )
    expect(names(all)).toEqual(
      expect.arrayContaining(["I'm alive", 'ExternalURL health check', 'Database connections health check']),
    )
  })

  it('contract 2.6: the URL check tells its host as `<METHOD> <url>`', async () => {
    const { checks } = await report('/q/health/ready')
    const check = checks.find(({ name }) => name === 'ExternalURL health check')
    expect(check?.data?.['host']).toMatch(/^GET https?:\/\/\S+$/)
  })

  it('decisions 1.38: HEAD answers like GET without a body, other methods are 405', async () => {
    const head = await call('/q/health', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const post = await call('/q/health', { method: 'POST' })
    expect(post.status).toBe(405)
    expect(post.headers.get('allow')).toBe('GET, HEAD')
  })
})
