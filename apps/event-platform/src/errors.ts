/** Base of every error of this app; branch on the class or on `code`. */
export abstract class PlatformError extends Error {
  abstract readonly code: string
}
