import type { Migrations } from '@taproom/database'

export const filmMigrations: Migrations = {
  '0001_create_films': {
    async up(knex) {
      await knex.schema.createTable('films', (table) => {
        table.integer('id').primary()
        table.text('title').notNullable()
        table.date('release_date').notNullable().index()
      })
    },
    async down(knex) {
      await knex.schema.dropTable('films')
    },
  },
  // A migration, so that it runs once: a deleted film does not come back.
  '0002_seed_films': {
    async up(knex) {
      await knex('films').insert([
        { id: 1, title: 'A New Hope', release_date: '1977-05-25' },
        { id: 2, title: 'The Empire Strikes Back', release_date: '1980-05-17' },
        { id: 3, title: 'Return of the Jedi', release_date: '1983-05-25' },
        { id: 4, title: 'The Phantom Menace', release_date: '1999-05-19' },
        { id: 5, title: 'Attack of the Clones', release_date: '2002-05-16' },
        { id: 6, title: 'Revenge of the Sith', release_date: '2005-05-19' },
      ])
    },
    async down(knex) {
      await knex('films').whereBetween('id', [1, 6]).delete()
    },
  },
}
