import { methodNotAllowed, pathOf, type RequestHandler } from '@taproom/http'

export interface PageFile {
  readonly type: string
  readonly content: Uint8Array
}

/** Finds a file of the page by its path, such as `/page.js`; `/` is its index. Undefined when there is none. */
export type Page = (path: string) => PageFile | undefined | Promise<PageFile | undefined>

const refuseMethod = methodNotAllowed('GET', 'HEAD')

/** Serves the page's files, and leaves all other paths to the next handler. */
export function servePage(page: Page): RequestHandler {
  return async (request, response, next) => {
    const file = await page(pathOf(request.url))
    if (file === undefined) return next()
    request.resume()
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request, response)
    response.writeHead(200, {
      'Content-Type': file.type,
      'Content-Length': file.content.length,
      'Cache-Control': 'no-store',
    })
    response.end(file.content)
  }
}
