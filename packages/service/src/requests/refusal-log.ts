import type { IncomingMessage } from 'node:http'
import { createLogWindow, visible } from '@taproom/core/lines'
import { pathOf } from '@taproom/http'
import type { Logger } from '../logger.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'

/** Lines of one window, for all clients and for each one: a client that asks often must not hide the others. */
const LINES_OF_ALL = 200
const LINES_OF_ONE = 50
const WINDOW_MS = 10_000

/** Characters shown of each claim, of a reason, and of a path. */
const SHOWN = 100
const SHOWN_PATH = 300

/** Why a request was refused. */
export interface RefusedRequest {
  readonly status: number
  /** A few words, which are counted when lines are left out: nothing of the caller's. */
  readonly reason: string
  /** What its token says of itself, such as `jti`; may be forged. */
  readonly claimed?: Readonly<Partial<Record<'kid' | 'jti' | 'sub', string>>>
}

/** Where a refused request came from, and what it asked for. */
export interface RefusedOrigin {
  readonly client: string
  readonly method?: string | undefined
  readonly path?: string | undefined
}

/**
 * Logs one line for each refusal, up to 50 of a client and 200 of all in a window of ten seconds; the rest is one line at the window's end,
 * counted by reason. So the log cannot be flooded. Tokens and query strings are never logged.
 */
export function createRefusalLog(
  log: Pick<Logger, 'info' | 'warn'>,
): (from: RefusedOrigin, refused: RefusedRequest) => void {
  const mayWrite = createLogWindow({
    lines: LINES_OF_ALL,
    linesOfOne: LINES_OF_ONE,
    windowMs: WINDOW_MS,
    onLeftOut(reasons) {
      const suppressed = Object.values(reasons).reduce((total, count) => total + count, 0)
      log.warn({ log: 'security', suppressed, reasons }, 'further requests refused')
    },
  })
  return ({ client, method, path }, { status, reason, claimed = {} }) => {
    if (!mayWrite(client, reason)) return
    const asked = {
      ...(method !== undefined && { method }),
      ...(path !== undefined && { path: visible(pathOf(path), SHOWN_PATH) }),
    }
    const line = { log: 'security', client, ...asked, status, reason: visible(reason, SHOWN), ...shown(claimed) }
    log.info(line, 'request refused')
  }
}

/** Claims of an unverified token may be forged. */
function shown(claimed: NonNullable<RefusedRequest['claimed']>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(claimed).map(([name, text]) => [name, visible(text, SHOWN)]))
}

const reported = new WeakSet<IncomingMessage>()

/** Whether the app has logged the refusal of a request by itself. */
export const isReported = (req: IncomingMessage): boolean => reported.has(req)

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
    reported.add(req)
    write(originOf(req, trusted), refused)
  }
}

export function originOf(req: IncomingMessage & { originalUrl?: string }, trusted: TrustedProxies): RefusedOrigin {
  return { client: clientAddress(req, trusted), method: req.method, path: req.originalUrl ?? req.url }
}
