import { LIMITS } from '@taproom/core/limits'
import { compactDecrypt } from 'jose'
import { InvalidTokenError, JwtConfigError } from '../errors.ts'
import {
  DECRYPTION_ALGORITHMS,
  type DecryptionAlgorithm,
  type DecryptionKey,
  readDecryptionKeys,
} from '../keys/decryption-keys.ts'
import { keysNamed } from '../keys/key-set.ts'
import { createQueue, decode, parseObject } from './signed-token.ts'
import { createMemory } from './token-cache.ts'

/** Bytes of initialization vector and tag (RFC 7518, section 5.3). */
const IV_BYTES = 12
const TAG_BYTES = 16

export interface DecryptionOptions {
  /**
   * `mp.jwt.decrypt.key.location`: path or `file:` URL of the private key. With it, only tokens that are signed and then encrypted are
   * accepted.
   */
  readonly decryptKeyLocation?: string | undefined
  /** `mp.jwt.decrypt.key.algorithm`: the only one accepted; only with a location. Default: RSA-OAEP and RSA-OAEP-256. */
  readonly decryptKeyAlgorithm?: DecryptionAlgorithm | undefined
}

/**
 * The signed token in an encrypted one.
 *
 * @throws {InvalidTokenError} or rejects with it, with the reason `encryption` whatever is wrong, so that nobody learns how far decryption
 * came
 * @throws {VerifierBusyError} when too many tokens wait
 */
export type Decrypt = (token: string, digest: string) => Promise<string>

/**
 * Undefined without a key. Decrypts nested tokens (RFC 7519, section 11.2; MicroProfile JWT 2.1): RSA-OAEP or RSA-OAEP-256 with A256GCM,
 * `cty` JWT, or at+jwt, which some issuers write. Nothing that is compressed, because few bytes could become many (RFC 8725, section 3.6).
 * Threads decrypt, one token at a time, about 1 ms each with a key of 2048 bits, 10 ms with 4096, 40 ms with 8192. One that no key opens is
 * known when it comes again; `cacheSize` of them are.
 *
 * @throws {JwtConfigError} when the key is unusable
 */
export async function openDecryption(
  options: DecryptionOptions & { readonly cacheSize?: number },
): Promise<Decrypt | undefined> {
  const { decryptKeyLocation, decryptKeyAlgorithm, cacheSize = 1000 } = options
  if (decryptKeyLocation === undefined && decryptKeyAlgorithm !== undefined) {
    throw new JwtConfigError('mp.jwt.decrypt.key.algorithm', 'has no effect without mp.jwt.decrypt.key.location')
  }
  if (decryptKeyLocation === undefined) return undefined
  if (decryptKeyAlgorithm !== undefined && !DECRYPTION_ALGORITHMS.includes(decryptKeyAlgorithm)) {
    throw new JwtConfigError('mp.jwt.decrypt.key.algorithm', `must be of ${DECRYPTION_ALGORITHMS.join(', ')}`)
  }
  const algorithms = decryptKeyAlgorithm === undefined ? DECRYPTION_ALGORITHMS : [decryptKeyAlgorithm]
  const keys = await readDecryptionKeys(decryptKeyLocation, algorithms)
  const forged = createMemory<true>(cacheSize)
  const queue = createQueue(1)

  async function decryptOnce(token: string, digest: string, fitting: readonly DecryptionKey[], algorithm: string) {
    // It may have come twice before it was opened.
    if (forged.get(digest)) throw refused()
    for (const { key } of fitting) {
      const options = { keyManagementAlgorithms: [algorithm], contentEncryptionAlgorithms: ['A256GCM'] }
      const opened = await compactDecrypt(token, key, options).catch(() => undefined)
      if (opened !== undefined) return Buffer.from(opened.plaintext).toString('latin1')
    }
    forged.set(digest, true)
    throw refused()
  }

  return (token, digest) => {
    const { algorithm, kid, keyBytes } = parseEncrypted(token, algorithms)
    const fits = (key: DecryptionKey) => key.bytes === keyBytes && key.algorithms.includes(algorithm)
    const fitting = keysNamed(keys, kid).filter(fits)
    if (fitting.length === 0 || forged.get(digest)) throw refused()
    return queue.run(() => decryptOnce(token, digest, fitting, algorithm))
  }
}

/** Checks all that costs nothing. */
function parseEncrypted(token: string, algorithms: readonly DecryptionAlgorithm[]) {
  if (token.length > LIMITS.tokenBytes) throw new InvalidTokenError('malformed')
  const parts = token.split('.', 6)
  const [header = '', key = '', iv = '', content = '', tag = ''] = parts
  if (parts.length !== 5) throw refused()
  const { alg, enc, cty, kid, zip, crit } = parseObject(decode(header))
  const algorithm = algorithms.find((one) => one === alg)
  const isNested = typeof cty === 'string' && /^(at\+)?jwt$/i.test(cty)
  if (algorithm === undefined || enc !== 'A256GCM' || !isNested || zip !== undefined || crit !== undefined)
    throw refused()
  if (kid !== undefined && typeof kid !== 'string') throw refused()
  if (decode(iv).length !== IV_BYTES || decode(tag).length !== TAG_BYTES) throw refused()
  decode(content)
  return { algorithm, kid, keyBytes: decode(key).length }
}

function refused(): InvalidTokenError {
  return new InvalidTokenError('encryption')
}
