create table if not exists films (id int primary key, title varchar not null, release_date date not null);
create index if not exists films_by_date on films (release_date);
merge into films (id, title, release_date) values
  (1, 'A New Hope', '1977-05-25'),
  (2, 'The Empire Strikes Back', '1980-05-17'),
  (3, 'Return of the Jedi', '1983-05-25'),
  (4, 'The Phantom Menace', '1999-05-19'),
  (5, 'Attack of the Clones', '2002-05-16'),
  (6, 'Revenge of the Sith', '2005-05-19');
