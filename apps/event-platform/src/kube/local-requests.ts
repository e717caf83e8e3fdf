import type { RequestHandler } from 'express'
import { StatusError } from './status.ts'

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === '::1' || LOCAL_HOST.test(host)
}

/**
 * Refuses requests that were meant for another host, as `kubectl proxy` does: a web page whose name was made to point at this
 * machine could use the API otherwise, which asks nobody who they are.
 */
export const onlyLocalHosts: RequestHandler = (req, _res, next) => {
  if (!LOCAL_HOST.test(req.headers.host ?? '')) {
    throw new StatusError('Forbidden', 'this API answers at localhost only')
  }
  next()
}
