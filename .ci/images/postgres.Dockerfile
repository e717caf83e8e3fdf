FROM debian:bookworm-slim
# The public image's user, whom manifests name by number.
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres
# pg_isready and createdb: embedded-postgres has the server alone, and Debian 12 an older one.
RUN apt-get update -qq \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-client-15 \
  && rm -rf /var/lib/apt/lists/*
COPY server /opt/postgresql
# The public image's folders: since PostgreSQL 18 a volume is mounted above the data, whose folder is named after the version.
RUN install -d -o postgres -g postgres /var/lib/postgresql /var/run/postgresql
COPY postgres-entrypoint /usr/local/bin/docker-entrypoint.sh
ARG MAJOR
ENV PATH=/opt/postgresql/bin:/usr/lib/postgresql/15/bin:$PATH LANG=C.UTF-8 PGDATA=/var/lib/postgresql/$MAJOR/docker
USER postgres
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
