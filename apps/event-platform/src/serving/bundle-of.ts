import { join } from 'node:path'
import { currentBundle } from '@taproom/processes'

/** In an app's folder. */
export const BUNDLE = 'dist/bundle'

/** The bundle to run instead of an app's main file, if it is of the sources as they are now. */
export function bundleOf({ folder, main }: { readonly folder: string; readonly main: string }): string | undefined {
  return main.endsWith('.ts') ? currentBundle(join(folder, BUNDLE), folder) : undefined
}
