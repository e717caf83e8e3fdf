import { sendView } from '../http/live.ts'
import type { Routes } from '../http/route.ts'
import type { Attention } from '../metrics/attention.ts'
import type { SystemPicture } from './overview.ts'

const LIVE_MS = 1000

interface PictureOptions {
  readonly attention: Attention
  /** Parts of the picture that report their changes. */
  readonly watches: readonly { watch(changed: () => void): Disposable }[]
}

export function pictureRoutes(picture: SystemPicture, { attention, watches }: PictureOptions): Routes {
  return {
    'GET /api/overview'(asked) {
      const looking = attention.hold()
      asked.response.once('close', () => looking[Symbol.dispose]())
      const watch = (changed: () => void) =>
        watchAll(watches, () => {
          picture.forget()
          changed()
        })
      return sendView(asked, { read: picture.read, watch, everyMs: LIVE_MS })
    },
  }
}

function watchAll(watches: PictureOptions['watches'], changed: () => void): Disposable {
  const watching = watches.map((each) => each.watch(changed))
  return {
    [Symbol.dispose]() {
      for (const each of watching) each[Symbol.dispose]()
    },
  }
}
