/** The processes below one process, on Linux, macOS and Windows. Imports nothing that is installed. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const isWindows = process.platform === 'win32'
const WINDOWS_LIST =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) 0 $($_.CommandLine)" }'
const END_MS = 15_000
const POLL_MS = 250

async function allProcesses() {
  const options = { maxBuffer: 2 ** 26 }
  const { stdout } = isWindows
    ? await execute('powershell', ['-NoProfile', '-Command', WINDOWS_LIST], options)
    : await execute('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,args='], options)
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, args] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s*(.*?)\s*$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), args }]
  })
}

/** A process, its descendants, and those of its group whose parent has ended. */
export async function processesOf(pid) {
  const all = await allProcesses()
  const found = new Set(all.filter((one) => one.pid === pid || one.group === pid).map((one) => one.pid))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const one of all) if (found.has(one.parent)) found.add(one.pid)
  }
  return all.filter((one) => found.has(one.pid))
}

/** Ctrl-C, as a terminal sends it to the group of a process. On Windows the tree is ended. */
export async function interrupt(pid) {
  if (isWindows) await execute('taskkill', ['/pid', `${pid}`, '/t', '/f'])
  else process.kill(-pid, 'SIGINT')
}

/** The given processes that are still there after a while. A number that another program has got meanwhile does not count. */
export async function leftOf(processes) {
  const isLeft = (one) => processes.some(({ pid, args }) => pid === one.pid && args === one.args)
  const deadline = Date.now() + END_MS
  for (;;) {
    const left = (await allProcesses()).filter(isLeft)
    if (left.length === 0 || Date.now() > deadline) return left
    await wait(POLL_MS)
  }
}
