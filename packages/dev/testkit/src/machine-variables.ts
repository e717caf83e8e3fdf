/** What a program takes over from the environment of the test that starts it: where programs are, and where what Node has compiled is kept. */
export function machineVariables(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}
