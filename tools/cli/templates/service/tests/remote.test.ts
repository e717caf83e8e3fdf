import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { createRemote } from '../src/remote.ts'

describe('the remote service', () => {
  it('answers while it is there; else the fallback takes its place', async () => {
    await using standIn = startProcess(new URL('./remote-standin-main.ts', import.meta.url), {})
    const { remote: config } = readConfig({
      // begin jwt
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem',
      MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
      // end
      TEMPLATE_APP_REMOTE_URL: await standIn.url(),
      TEMPLATE_APP_REMOTE_RETRY_MAX_RETRIES: '0',
    })
    const { signal: shutdown } = new AbortController()
    using remote = createRemote({ ...config, log: { warn() {} }, shutdown })
    expect(await remote.fetch('/one?two=3')).toEqual({ from: 'the stand-in', path: '/one?two=3' })
    await expect(remote.fetch('@example.com')).rejects.toThrow(RangeError)
    await standIn.stop()
    expect(await remote.fetch('/one')).toBeUndefined()
  })
})
