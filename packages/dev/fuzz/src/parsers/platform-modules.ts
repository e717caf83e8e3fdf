/** What is used here of event-platform, which is an app and so no dependency: its files are loaded as they lie in the repository. */
export interface PlatformModules {
  readonly PlatformError: ErrorClass
  readonly admit: (input: unknown, existing?: object) => { readonly object: object }
  readonly createManifestReader: () => (
    file: string,
    text: string,
  ) => Promise<{ readonly documents: readonly { readonly value: unknown }[] }>
  readonly createObjectReader: () => { object(request: object): Promise<unknown> }
  readonly mergePatch: (target: unknown, patch: unknown) => unknown
  readonly jsonPatch: (target: object, operations: unknown) => unknown
  readonly parseSelectors: (query: object) => (object: object) => boolean
}

type ErrorClass = abstract new (...args: never[]) => Error

const FILES: Readonly<Record<keyof PlatformModules, string>> = {
  PlatformError: 'errors.ts',
  admit: 'resources/admission.ts',
  createManifestReader: 'manifests/read-manifests.ts',
  createObjectReader: 'kube/read-object.ts',
  mergePatch: 'kube/patch.ts',
  jsonPatch: 'kube/patch.ts',
  parseSelectors: 'kube/selectors.ts',
}

/** @throws {Error} naming what is not where it was */
export async function loadPlatform(): Promise<PlatformModules> {
  const entries = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const exports = (await import(
        new URL(`../../../../../apps/event-platform/src/${file}`, import.meta.url).href
      )) as Record<string, unknown>
      if (exports[name] === undefined)
        throw new Error(`${file} of event-platform exports no ${name}: say in platform-modules.ts where it is now`)
      return [name, exports[name]] as const
    }),
  )
  return Object.fromEntries(entries) as unknown as PlatformModules
}
