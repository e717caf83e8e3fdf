/** Where programs are, where what Node has compiled is kept, and what records the files that processes load. */
const NAMES = ['PATH', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'TAPROOM_LOADED_FILES']

/** What a program takes over from the environment of the test that starts it. */
export function machineVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
