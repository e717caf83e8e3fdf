import { needProgram } from './program.ts'

const CLONE_MS = 300_000

/** A public repository of GitHub at a tag. Git's own `url.….insteadOf` names a mirror. @throws {LeftOutError} when it cannot be had */
export async function cloneTag(repository: string, tag: string, folder: string): Promise<void> {
  const url = `https://github.com/${repository}`
  const args = ['clone', '--quiet', '--depth', '1', '--branch', tag, url, folder]
  await needProgram('git', args, { env: { GIT_TERMINAL_PROMPT: '0' }, timeoutMs: CLONE_MS })
}
