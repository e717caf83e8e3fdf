/**
 * `newcomer.mjs start | test`: does what the README promises to a person with Node 20 and npm. `start` runs `npx -y pnpm@12 start`, asks what
 * the lines below "Try it" ask, stops the system with Ctrl-C, and fails when a process is left. `test` runs `npx -y pnpm@12 test`. Ports come
 * from the environment, as for `pnpm start`. Imports nothing that is installed, and runs on Linux, macOS and Windows.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { interrupt, leftOf, processesOf } from './process-tree.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const PNPM = ['-y', 'pnpm@12']
const GATEWAY = `http://localhost:${process.env.PORT || 8080}`
const SINKS = ['aloha-sink', 'bonjour-sink']
/** The first start installs; a hosted Windows machine needs minutes for that. */
const START_MS = 15 * 60_000
const ANSWER_MS = 60_000
const POLL_MS = 250

/** A person has no CI variable: with it, tests fail where a tool is missing that only .ci/run installs. */
function npx(args, options) {
  const { CI: _, ...env } = process.env
  // Windows starts npx.cmd by a shell only.
  return spawn('npx', [...PNPM, ...args], { cwd: ROOT, env, shell: process.platform === 'win32', ...options })
}

async function until(what, timeoutMs, condition) {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    assert(Date.now() < deadline, `${what}: not within ${timeoutMs / 1000} s`)
    await wait(POLL_MS)
  }
  console.log(`newcomer: ${what}`)
}

async function start() {
  const begun = Date.now()
  // The group of the child is its own: Ctrl-C reaches it as a terminal's foreground group, and not this process.
  const child = npx(['start'], { stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      process.stdout.write(text)
    })
  }
  let running = []
  try {
    await until('the gateway is ready', START_MS, async () => {
      assert(child.exitCode === null, `pnpm start ended with ${child.exitCode} before it was ready`)
      return await isReady()
    })
    console.log(`newcomer: ready after ${((Date.now() - begun) / 1000).toFixed(1)} s, installation included`)
    await askForClaim()
    await askForMovies()
    await askForBeer()
    await sendEvent()
    await until('both sinks have the event', ANSWER_MS, () =>
      SINKS.every((sink) => output.split('\n').some((line) => line.includes(sink) && line.includes('event received'))),
    )
  } finally {
    running = await processesOf(child.pid)
    if (child.exitCode === null) await interrupt(child.pid)
  }
  await Promise.race([closed, wait(ANSWER_MS, undefined, { ref: false })])
  const left = await leftOf(running)
  assert.deepEqual(left, [], 'processes are left')
  assert(child.exitCode !== null || child.signalCode !== null, 'pnpm start does not end')
  await assert.rejects(fetch(GATEWAY), 'the port of the gateway is still open')
  // Windows has no Ctrl-C for another process: the tree was ended there, and had no time to say so.
  if (process.platform !== 'win32') assert.match(output, /^stopped$/m)
  console.log(`newcomer: stopped; ${running.length} processes ended`)
}

async function isReady() {
  try {
    const answer = await fetch(`${GATEWAY}/q/health/ready`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return answer.ok && (await answer.json()).status === 'UP'
  } catch {
    return false
  }
}

async function askForClaim() {
  const child = npx(['-s', 'run', 'token', '--groups', 'Subscriber', '--user', 'duke'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [token] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
  const authorization = `Bearer ${Buffer.concat(token).toString().trim()}`
  assert.equal(await (await ask('/secure/claim', { headers: { authorization } })).text(), 'duke')
}

async function askForMovies() {
  assert((await (await ask('/movie?year=1980')).json()).length > 0, 'no film of 1980')
}

async function askForBeer() {
  const { body } = await ask('/beer')
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (/^data: ?\{.*\n/m.test(text)) return
  }
  assert.fail(`the stream of beers has ended: ${text}`)
}

async function sendEvent() {
  const event = { 'ce-id': '1', 'ce-specversion': '1.0', 'ce-type': 'greeting', 'ce-source': 'readme' }
  await ask('/brokers/default/default', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...event },
    body: '{"message":"hello"}',
  })
}

async function ask(path, options) {
  const answer = await fetch(`${GATEWAY}${path}`, { signal: AbortSignal.timeout(ANSWER_MS), ...options })
  console.log(`newcomer: ${options?.method ?? 'GET'} ${path} answers ${answer.status}`)
  assert(answer.ok, `${path} answers ${answer.status}`)
  return answer
}

async function test() {
  const [code] = await once(npx(['test'], { stdio: 'inherit' }), 'close')
  assert.equal(code, 0, `pnpm test ended with ${code}`)
}

const command = { start, test }[process.argv[2]]
if (command === undefined) {
  console.error('usage: newcomer.mjs start | test')
  process.exitCode = 2
} else {
  await command()
}
