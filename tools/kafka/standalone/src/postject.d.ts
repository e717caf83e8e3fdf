/** The package has no types. */
declare module 'postject' {
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName: string },
  ): Promise<void>
}
