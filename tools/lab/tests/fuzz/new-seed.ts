/** A seed that no run before has had, printed for the case that a test fails with it. */
export function newSeed(): number {
  const seed = (Date.now() % 1_000_000) + 1
  process.stderr.write(`fuzz: the seed of this run is ${seed}\n`)
  return seed
}
