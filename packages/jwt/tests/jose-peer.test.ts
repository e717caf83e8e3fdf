import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ALGORITHMS } from '../src/keys/algorithms.ts'
import { agree, agreeOnMutated, agreeOnSigned, ISSUER, NOW, PAIRS, part, SIGNING, signed } from './jose-peer.ts'

describe('verification beside jose’s', () => {
  it('accepts and refuses the same signed tokens', async () => {
    const counts = await agreeOnSigned({ numRuns: 120, seed: 1 })
    expect(counts.accepted).toBeGreaterThan(20)
    expect(counts.refused).toBeGreaterThan(20)
  })

  it('accepts and refuses the same mutated tokens', async () => {
    const counts = await agreeOnMutated({ numRuns: 150, seed: 1 })
    expect(counts.refused).toBeGreaterThan(100)
  })

  it('accepts and refuses the same signed bytes, whether or not they are JSON or UTF-8', async () => {
    const counts = { accepted: 0, refused: 0 }
    const text = JSON.stringify({ iss: ISSUER, exp: NOW + 60, iat: NOW, upn: 'düke', aud: 'a' })
    const bom = Buffer.from([0xef, 0xbb, 0xbf])
    const payloads = [
      text,
      Buffer.concat([bom, Buffer.from(text)]),
      Buffer.concat([bom, bom, Buffer.from(text)]),
      Buffer.from(text, 'latin1'),
      Buffer.from(text, 'utf16le'),
      ` ${text}\n`,
      `${text}x`,
      text.replace(String(NOW + 60), '1e999'),
      text.replace('"düke"', '"\\ud800"'),
      '[]',
      'null',
      '',
    ]
    for (const alg of ALGORITHMS) {
      const head = JSON.stringify({ alg })
      for (const payload of payloads) await agree(signed(head, payload, alg, PAIRS[alg].privateKey), alg, counts)
      for (const odd of [Buffer.concat([bom, Buffer.from(head)]), ` ${head}`, `[${head}]`, Buffer.from([0x7b, 0xff])]) {
        await agree(signed(odd, text, alg, PAIRS[alg].privateKey), alg, counts)
      }
    }
    expect(counts.accepted).toBeGreaterThan(20)
  })

  it.each([0, 1, 63, 64, 65, 70, 72, 95, 96, 97, 131, 132, 133, 255, 256, 257])(
    'refuses a signature of %i bytes as jose does',
    async (length) => {
      const counts = { accepted: 0, refused: 0 }
      for (const alg of ALGORITHMS) {
        const input = `${part(JSON.stringify({ alg }))}.${part(JSON.stringify({ iss: ISSUER, exp: NOW + 60, iat: NOW, upn: 'd' }))}`
        for (const fill of [0, 255]) await agree(`${input}.${part(Buffer.alloc(length, fill))}`, alg, counts)
        // A right ECDSA signature, but in ASN.1 form.
        const der = sign(SIGNING[alg][0], Buffer.from(input), { key: PAIRS[alg].privateKey })
        if (alg.startsWith('ES')) await agree(`${input}.${part(der)}`, alg, counts)
      }
      expect(counts.accepted).toBe(0)
    },
  )
})
