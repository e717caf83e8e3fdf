import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { HttpApp } from './http-app.ts'

/**
 * Server options that make requests and responses what an express app would turn them into.
 *
 * express changes the prototype of both for every request, which costs a tenth of a small request and makes whatever touches them afterwards
 * slower; objects that have the app's prototypes from the beginning are left as they are. Other handlers get Node's own.
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

/** Makes what `base` makes, but with this prototype, which inherits from that of `base`. */
function withPrototype<C extends typeof IncomingMessage | typeof ServerResponse>(base: C, prototype: object): C {
  function construct(...args: unknown[]): object {
    return Reflect.construct(base, args, construct)
  }
  construct.prototype = prototype
  // node:http only ever calls it with `new`, which makes a function as good as a class.
  return construct as unknown as C
}
