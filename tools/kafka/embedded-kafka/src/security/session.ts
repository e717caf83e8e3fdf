import { AuthenticationError } from '../errors.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ANONYMOUS, userPrincipal } from './principal.ts'
import { type Exchange, type Identity, NOTHING, quoted, SaslRefusal } from './sasl/exchange.ts'
import type { SaslSettings } from './sasl/sasl-settings.ts'

/** Between two re-authentications, as in Apache Kafka. */
const MIN_REAUTHENTICATION_MS = 1000

type State =
  | { readonly at: 'handshake' }
  | { readonly at: 'exchange'; readonly exchange: Exchange; readonly isRaw: boolean }
  | { readonly at: 'open' }
  | { readonly at: 'failed'; readonly error: AuthenticationError }

/** What SaslAuthenticate answers. */
export interface SaslAnswer {
  readonly errorCode: ErrorCode
  readonly errorMessage: string | null
  readonly authBytes: Buffer
  readonly sessionLifetimeMs: number
}

/**
 * Who the client of a connection is, and which requests it may send by now. Without SASL it is open from the start, else after
 * SaslHandshake and SaslAuthenticate, until the session ends (KIP-368) or for good.
 */
export class ClientSession {
  readonly #settings: SaslSettings | undefined
  readonly #now: () => number
  #state: State
  #principal: string
  #mechanism = ''
  /** The first authentication is behind it. */
  #isReauthenticating = false
  #endsAtMs = Number.POSITIVE_INFINITY
  #reauthenticatedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    settings?: SaslSettings,
    { principal = ANONYMOUS, now = Date.now }: { readonly principal?: string; readonly now?: () => number } = {},
  ) {
    this.#settings = settings
    this.#principal = principal
    this.#now = now
    this.#state = { at: settings ? 'handshake' : 'open' }
  }

  /** As ACLs name it. */
  get principal(): string {
    return this.#principal
  }

  get isAuthenticated(): boolean {
    return this.#state.at === 'open' || this.#isReauthenticating
  }

  /** Set when the answer to the request is the last one, to be held back for `failureDelayMs`. */
  get failure(): AuthenticationError | undefined {
    return this.#state.at === 'failed' ? this.#state.error : undefined
  }

  /** The largest request that is taken by now. */
  get maxReceiveBytes(): number {
    return this.isAuthenticated ? Number.POSITIVE_INFINITY : (this.#settings?.maxReceiveBytes ?? 0)
  }

  get failureDelayMs(): number {
    return this.#settings?.failureDelayMs ?? 0
  }

  /** After a handshake of version 0 the messages of SASL come without the header of requests. */
  get takesRawMessages(): boolean {
    return this.#state.at === 'exchange' && this.#state.isRaw
  }

  /**
   * Call before a request is read any further.
   * @throws {AuthenticationError} when the client may not send it
   */
  admit(apiKey: number): void {
    const isSasl = apiKey === API_VERSIONS.SaslHandshake.key || apiKey === API_VERSIONS.SaslAuthenticate.key
    if (isSasl) return
    if (this.#state.at === 'open') {
      if (this.#now() < this.#endsAtMs) return
      throw new AuthenticationError(`the session of ${this.#principal} has ended, and the client goes on`)
    }
    if (apiKey === API_VERSIONS.ApiVersions.key && this.#state.at === 'handshake' && !this.#isReauthenticating) return
    throw new AuthenticationError(`API ${apiKey} before the client has authenticated`)
  }

  handshake(mechanism: string, version: number): { errorCode: ErrorCode; mechanisms: readonly string[] } {
    const settings = this.#settings
    const mechanisms = settings?.mechanisms.map(({ name }) => name) ?? []
    if (!settings || !this.#mayShakeHands()) return { errorCode: ErrorCode.ILLEGAL_SASL_STATE, mechanisms: [] }
    const found = settings.mechanisms.find(({ name }) => name === mechanism)
    if (!found) {
      this.#fail(`SASL ${quoted(mechanism)} is not offered`)
      return { errorCode: ErrorCode.UNSUPPORTED_SASL_MECHANISM, mechanisms }
    }
    const isOther = this.#isReauthenticating && mechanism !== this.#mechanism
    const exchange = isOther ? changed(mechanism, this.#mechanism) : found.start()
    if (!this.#isReauthenticating) this.#mechanism = mechanism
    this.#state = { at: 'exchange', exchange, isRaw: version === 0 }
    return { errorCode: ErrorCode.NONE, mechanisms }
  }

  /** A session without end is not renewed, and one that has an end not all the time. */
  #mayShakeHands(): boolean {
    if (this.#state.at === 'handshake') return true
    if (this.#state.at !== 'open' || this.#endsAtMs === Number.POSITIVE_INFINITY) return false
    const now = this.#now()
    if (now - this.#reauthenticatedAtMs < MIN_REAUTHENTICATION_MS) return false
    this.#reauthenticatedAtMs = now
    this.#isReauthenticating = true
    return true
  }

  async authenticate(message: Buffer): Promise<SaslAnswer> {
    if (this.#state.at === 'open') {
      const errorMessage = 'SaslAuthenticate request received after successful authentication'
      return refusal(ErrorCode.ILLEGAL_SASL_STATE, errorMessage)
    }
    if (this.#state.at !== 'exchange') {
      this.#fail('SaslAuthenticate without a handshake')
      return refusal(ErrorCode.ILLEGAL_SASL_STATE, 'SaslAuthenticate request received before a handshake')
    }
    try {
      const { answer, identity } = await this.#state.exchange.evaluate(message)
      const sessionLifetimeMs = identity ? this.#open(identity) : 0
      return { errorCode: ErrorCode.NONE, errorMessage: null, authBytes: answer, sessionLifetimeMs }
    } catch (error) {
      if (!(error instanceof SaslRefusal)) throw error
      this.#fail(`SASL ${this.#mechanism}: ${error.message}`)
      const what = this.#isReauthenticating ? 're-authentication' : 'authentication'
      const general = `Authentication failed during ${what} due to invalid credentials with SASL mechanism ${this.#mechanism}`
      return refusal(ErrorCode.SASL_AUTHENTICATION_FAILED, error.isTold ? error.message : general)
    }
  }

  #fail(message: string): void {
    this.#state = { at: 'failed', error: new AuthenticationError(message) }
  }

  #open({ name, expiresAtMs }: Identity): number {
    const principal = userPrincipal(name)
    if (this.#isReauthenticating && principal !== this.#principal) {
      const message = `Cannot change principals during re-authentication from ${this.#principal} to ${principal}`
      throw new SaslRefusal(message, { isTold: true })
    }
    const now = this.#now()
    const maxMs = this.#settings?.maxReauthMs(this.#mechanism) ?? 0
    const lifetimeMs = Math.max(
      0,
      Math.min(maxMs > 0 ? maxMs : Number.POSITIVE_INFINITY, (expiresAtMs ?? Number.POSITIVE_INFINITY) - now),
    )
    this.#principal = principal
    this.#isReauthenticating = false
    this.#endsAtMs = now + lifetimeMs
    this.#state = { at: 'open' }
    return Number.isFinite(lifetimeMs) ? lifetimeMs : 0
  }
}

/** Apache Kafka, too, tells so only in the answer to what follows. */
function changed(mechanism: string, before: string): Exchange {
  const message = `SASL mechanism '${mechanism}' requested by client is not supported for re-authentication of mechanism '${before}'`
  return {
    evaluate() {
      throw new SaslRefusal(message, { isTold: true })
    },
  }
}

function refusal(errorCode: ErrorCode, errorMessage: string): SaslAnswer {
  return { errorCode, errorMessage, authBytes: NOTHING, sessionLifetimeMs: 0 }
}
