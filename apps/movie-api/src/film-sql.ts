import createKnex, { type Knex } from 'knex'

/** The one table. */
export const TABLE = 'films'

/** SQL of the hot queries, built once by knex. `between` has two parameters: first and last day, `YYYY-MM-DD`. */
export function buildFilmSql(client: 'better-sqlite3' | 'pg') {
  const knex = createKnex({ client, useNullAsDefault: true })
  // Otherwise PostgreSQL's driver makes a Date, in the server's time zone.
  const releaseDate = client === 'pg' ? knex.raw("to_char(release_date, 'YYYY-MM-DD')") : knex.ref('release_date')
  const all = knex(TABLE)
    .select('id', 'title', { releaseDate: releaseDate as Knex.Raw })
    .orderBy('id')
  const between = all.clone().whereBetween('release_date', ['', ''])
  return { all: all.toSQL().sql, between: between.toSQL().sql }
}
