/** Base of every error of this app; branch on the class or on `code`. */
export abstract class PlatformError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: string
}
