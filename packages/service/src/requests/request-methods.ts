/** Methods with series and span names of their own; otherwise a client could create thirty for every path, with all the methods that Node knows. */
export const REQUEST_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
