import { expect, it } from 'vitest'
import { startIssuedClaimService } from './claim-service.ts'

it('/q/metrics counts tokens by outcome, requests by status, and shows the health of the keys', async () => {
  await using service = await startIssuedClaimService()
  const { issuer } = service
  const claim = (token: string) =>
    fetch(`${service.url}/secure/claim`, { headers: { Authorization: `Bearer ${token}` } })
  const good = await issuer.sign()
  await claim(good)
  await claim(good)
  await claim(await issuer.sign({ expiresInSeconds: -10 }))
  await claim('garbage')
  await fetch(`${service.url}/secure/claim`)

  const text = await (await fetch(`${service.url}/q/metrics`)).text()
  const requests = (status: number, outcome: string) =>
    `http_server_requests_seconds_count{method="GET",uri="/secure/claim",status="${status}",outcome="${outcome}"}`
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '# TYPE jwt_tokens_total counter',
      'jwt_tokens_total{outcome="accepted"} 2',
      'jwt_tokens_total{outcome="expired"} 1',
      'jwt_tokens_total{outcome="malformed"} 1',
      'jwt_tokens_total{outcome="signature"} 0',
      `${requests(200, 'SUCCESS')} 2`,
      `${requests(401, 'CLIENT_ERROR')} 3`,
      'health_check_status{kind="live",check="I\'m alive"} 1',
      'health_check_status{kind="ready",check="JWT verification keys"} 1',
    ]),
  )
  expect(text).not.toContain('garbage')
})
