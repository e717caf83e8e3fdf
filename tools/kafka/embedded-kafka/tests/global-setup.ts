import { execFile } from 'node:child_process'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the compiled programs in `java`; '' where the jars of the Java client are not there. */
    javaClasses: string
  }
}

/** Compiles the programs in `java` once: each by itself, as `java` would do it, takes longer than most of them run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const classpath = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''
  if (classpath === '') {
    project.provide('javaClasses', '')
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'java-classes-'))
  project.provide('javaClasses', folder)
  const javac = (process.env['JAVA'] ?? 'java').replace(/java$/, 'javac')
  const sources = await Array.fromAsync(glob(join(import.meta.dirname, 'java/*.java')))
  await promisify(execFile)(javac, ['-J-XX:TieredStopAtLevel=1', '-nowarn', '-d', folder, '-cp', classpath, ...sources])
  return () => rm(folder, { recursive: true, force: true })
}
