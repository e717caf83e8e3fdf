// Prints the variables that the `readConfig` of a module (file URL) reads, as JSON, secrets hidden.
import { type Env, recordReads } from '@taproom/service'

async function main(path = '') {
  const module: { readConfig(env: Env): unknown } = await import(path)
  const recorded = recordReads(process.env)
  try {
    module.readConfig(recorded.env)
  } catch {
    // Wrong variables are reported by the service itself; they have been read all the same.
  }
  process.stdout.write(`${JSON.stringify(recorded.reads())}\n`)
}

void main(process.argv[2])
