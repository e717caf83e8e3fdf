/** What every error of this app derives from; callers branch on the class or the literal `code` of a subclass. */
export abstract class PlatformError extends Error {
  abstract readonly code: string
}
