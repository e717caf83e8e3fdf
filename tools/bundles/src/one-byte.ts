import type { OutputOptions } from 'rolldown'

/**
 * V8 keeps a source for as long as its functions live, with two bytes for each character as soon as one of them is not of Latin-1: an ellipsis
 * in a comment would make a megabyte two. Of comments only those of licences are left; they may have such characters, and so may a tagged
 * template, which can tell an escape from a character. A regular expression means the same; its `source` has the escapes.
 */
export const ONE_BYTE: Pick<OutputOptions, 'charset' | 'comments'> = {
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
}
