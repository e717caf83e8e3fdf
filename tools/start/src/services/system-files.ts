import { join } from 'node:path'

/** Where the sources of a system are. */
export interface SystemFiles {
  /** The folder of its `system.ts`. */
  readonly root: string
  /** The file of a program that a package exports: `@taproom/embedded-kafka/main`. */
  program(name: string): string
}

/** The main file that a description names. */
export function mainFile(main: string, { root, program }: SystemFiles): string {
  return main.startsWith('@') ? program(main) : join(root, main)
}

export function appFolder(app: string, { root }: SystemFiles): string {
  return join(root, 'apps', app)
}
