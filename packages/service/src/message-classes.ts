import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { HttpApp } from './http-app.ts'

/**
 * Server options that create requests and responses with the prototypes of an express app; other handlers get Node's own.
 *
 * Otherwise express would change the prototype of both for every request, which costs a tenth of a small request and slows down everything that
 * uses them afterwards.
 */
export function messageClasses(handler: RequestListener): ServerOptions {
  if (!isExpress(handler)) return {}
  return {
    IncomingMessage: withPrototype(IncomingMessage, handler.request),
    ServerResponse: withPrototype(ServerResponse, handler.response),
  }
}

function isExpress(handler: RequestListener): handler is HttpApp {
  return (
    'request' in handler &&
    handler.request instanceof IncomingMessage &&
    'response' in handler &&
    handler.response instanceof ServerResponse
  )
}

/** A class like `base`, but with `prototype`, which must inherit from that of `base`. */
function withPrototype<C extends typeof IncomingMessage | typeof ServerResponse>(base: C, prototype: object): C {
  function construct(...args: unknown[]): object {
    return Reflect.construct(base, args, construct)
  }
  construct.prototype = prototype
  // node:http only calls it with `new`, for which a function is as good as a class.
  return construct as unknown as C
}
