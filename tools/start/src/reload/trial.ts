import { Launch, type LaunchOptions } from '../supervisor/launch.ts'

/**
 * Loads a program's modules, and does not run it.
 *
 * @throws {ServiceExitError} when they cannot be loaded
 */
export async function tryToLoad(options: Pick<LaunchOptions, 'name' | 'main' | 'cwd' | 'env'>): Promise<void> {
  const launch = new Launch({
    ...options,
    onLine: () => {},
    order: { sources: {}, config: undefined },
    inspectPort: undefined,
  })
  try {
    await launch.loaded()
  } finally {
    await launch.child.kill()
  }
}
