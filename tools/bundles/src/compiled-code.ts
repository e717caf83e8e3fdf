/** Where Node keeps what it compiles for a system, below the folder of the system. */
export const COMPILED_CODE = 'node_modules/.cache/taproom-compiled'
