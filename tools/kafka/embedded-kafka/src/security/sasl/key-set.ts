import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readBody } from '@taproom/http'
import { isRecord } from '../../storage/shapes.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 256 * 1024
const MAX_KEYS = 100
/** An unknown key id, which anybody can send, makes the set be read anew no more often than this. */
const MIN_AGE_MS = 10_000
/** As long as there are none, this often at most. */
const MIN_FAILURE_AGE_MS = 1000

interface Key {
  readonly kid: string | undefined
  readonly alg: string | undefined
  readonly key: KeyObject
}

/** The public keys at an address. */
export interface KeySet {
  /**
   * Those with this id, or all.
   * Rejects with Error when they could never be read.
   */
  find(kid: string | undefined): Promise<readonly Key[]>
}

async function load(url: URL): Promise<string> {
  if (url.protocol === 'file:') return await readFile(fileURLToPath(url), 'utf8')
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  const body = await readBody(answer.body, MAX_BYTES)
  if (body === undefined) throw new Error(`more than ${MAX_BYTES} bytes`)
  return body.toString('utf8')
}

function keyOf(jwk: unknown): Key | undefined {
  if (!isRecord(jwk) || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return undefined
  try {
    const text = (name: string) => (typeof jwk[name] === 'string' ? jwk[name] : undefined)
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    return { kid: text('kid'), alg: text('alg'), key }
  } catch {
    // A key of a kind that Node does not know, or a broken one: the others of the set count.
    return undefined
  }
}

/** Reads a JSON Web Key Set (RFC 7517). */
function keysOf(text: string): readonly Key[] {
  const set: unknown = JSON.parse(text)
  if (!isRecord(set) || !Array.isArray(set['keys'])) throw new Error('no key set')
  return set['keys'].slice(0, MAX_KEYS).flatMap((jwk) => keyOf(jwk) ?? [])
}

/** Reads the set when it is needed first, then every `refreshMs`, and for a key that it does not have. Old keys stay while it cannot be read. */
export function keySetAt(url: URL, { refreshMs, now }: { refreshMs: number; now: () => number }): KeySet {
  let keys: readonly Key[] | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let failure: unknown
  const read = (): Promise<void> => {
    reading ??= load(url)
      .then((text) => {
        keys = keysOf(text)
      })
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        readAtMs = now()
        reading = undefined
      })
    return reading
  }
  return {
    async find(kid) {
      const matching = () => (keys ?? []).filter((key) => kid === undefined || key.kid === undefined || key.kid === kid)
      const ageMs = now() - readAtMs
      const restMs = keys === undefined ? MIN_FAILURE_AGE_MS : matching().length === 0 ? MIN_AGE_MS : refreshMs
      if (reading !== undefined || ageMs >= restMs) await read()
      if (keys === undefined) throw failure
      return matching()
    },
  }
}
