import type { Plugin } from 'rolldown'

/** `@taproom/database` knows SQLite and PostgreSQL. */
const DIALECTS = 'cockroachdb mariadb mssql mysql mysql2 oracle oracledb pgnative redshift'.split(' ')
const DIALECT = new RegExp(
  `[\\\\/]node_modules[\\\\/]knex[\\\\/]lib[\\\\/]dialects[\\\\/](${DIALECTS.join('|')})[\\\\/]index\\.js$`,
)

/** Leaves knex's dialects for other databases out of a bundle; knex loads a dialect when it is named, and one that is left out throws. */
export const unusedDialects: Plugin = {
  name: 'unused-dialects',
  load: {
    filter: { id: DIALECT },
    handler(id) {
      const [, name] = DIALECT.exec(id) ?? []
      const message = `knex's dialect ${name} is not in the bundle of a service`
      return { code: `throw new Error(${JSON.stringify(message)})`, moduleType: 'js' }
    },
  },
}
