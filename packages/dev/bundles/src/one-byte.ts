import type { OutputOptions } from 'rolldown'

/**
 * V8 keeps a source for as long as its functions live, with two bytes for each character as soon as one of them is not of Latin-1: an ellipsis
 * in a comment would make a megabyte two. Of comments only those of licences are left; they may have such characters.
 */
export const ONE_BYTE: Pick<OutputOptions, 'charset' | 'comments'> = {
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
}
