import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { createLogWindow, visible } from '@taproom/core/lines'
import type { Logger } from '../logger.ts'
import { shownPath } from './access-log.ts'
import { addressOf, clientAddress, type TrustedProxies } from './client-address.ts'
import type { Refusal } from './refusal.ts'

/** Lines in ten seconds, for all clients and for each one: a client that asks often must not hide the others. */
export const REFUSAL_LINES = { lines: 200, linesOfOne: 50 }

/** Answers of an app that turn a client away; an app's 400 and 404 are about what was asked, not about who asks. */
const TURNED_AWAY = new Set([401, 403, 421, 429, 431])

/** Characters shown of each claim, and of a reason. */
const SHOWN = 100

/** Why a request was refused. */
export interface RefusedRequest {
  readonly status: number
  /** A few words, which are counted when lines are left out: nothing of the caller's. */
  readonly reason: string
  /** Claims of its token, such as `jti`. They may be forged. */
  readonly claimed?: Readonly<Partial<Record<'kid' | 'jti' | 'sub', string>>>
}

interface RefusedOrigin {
  readonly client: string
  readonly method?: string | undefined
  readonly path?: string | undefined
}

/**
 * Logs one line for each refusal, up to 50 of a client and 200 of all in a window of ten seconds; the rest is one line at the window's end,
 * counted by reason. So the log cannot be flooded. Tokens and query strings are never logged.
 */
export function createRefusalLog(log: Pick<Logger, 'info' | 'warn'>) {
  const mayWrite = createLogWindow({
    ...REFUSAL_LINES,
    onLeftOut(reasons) {
      const suppressed = Object.values(reasons).reduce((total, count) => total + count, 0)
      log.warn({ log: 'security', suppressed, reasons }, 'further requests refused')
    },
  })
  return ({ client, method, path }: RefusedOrigin, { status, reason, claimed = {} }: RefusedRequest): void => {
    if (!mayWrite(client, reason)) return
    const asked = {
      ...(method !== undefined && { method }),
      ...(path !== undefined && { path: shownPath(path) }),
    }
    const line = { log: 'security', client, ...asked, status, reason: visible(reason, SHOWN), ...shown(claimed) }
    log.info(line, 'request refused')
  }
}

/** Claims of an unverified token may be forged. */
function shown(claimed: NonNullable<RefusedRequest['claimed']>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(claimed).map(([name, text]) => [name, visible(text, SHOWN)]))
}

/** Refused requests that have their line. */
const logged = new WeakSet<IncomingMessage>()

/**
 * For an app that knows more of a refusal than its status: logs it as {@link createRefusalLog} does, whether or not there is a security log,
 * which then leaves it out.
 */
export function reportRefusals(
  log: Pick<Logger, 'info' | 'warn'>,
  trusted: TrustedProxies,
): (req: IncomingMessage, refused: RefusedRequest) => void {
  const write = createRefusalLog(log)
  return (req, refused) => {
    logged.add(req)
    write(originOf(req, trusted), refused)
  }
}

/**
 * The line of each refusal: the listener's own, whatever their status, and an app's 401, 403, 421, 429 and 431, unless the app has reported
 * them.
 */
export function createSecurityLog(log: Pick<Logger, 'info' | 'warn'>, trusted: TrustedProxies) {
  const write = createRefusalLog(log)
  return {
    /** Looks at the answer once it has been sent. */
    watch(req: IncomingMessage, res: ServerResponse): void {
      const origin = originOf(req, trusted)
      res.on('close', () => {
        const { statusCode: status } = res
        if (!res.headersSent || !TURNED_AWAY.has(status) || logged.has(req)) return
        write(origin, { status, reason: STATUS_CODES[status] ?? 'refused' })
      })
    },
    /** A request that no app has seen. */
    refused(req: IncomingMessage, { status, detail }: Refusal): void {
      logged.add(req)
      write(originOf(req, trusted), { status, reason: detail })
    },
    /** Bytes that are no request. */
    refusedBytes(socket: Socket, { status, detail }: Refusal): void {
      write({ client: addressOf(socket) ?? 'unknown' }, { status, reason: detail })
    },
  }
}

function originOf(req: IncomingMessage & { originalUrl?: string }, trusted: TrustedProxies): RefusedOrigin {
  return { client: clientAddress(req, trusted), method: req.method, path: req.originalUrl ?? req.url }
}
