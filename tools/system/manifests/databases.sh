for app in $APPS; do
  psql --quiet --set=ON_ERROR_STOP=1 --set=app="$app" --set=password="$PGPASSWORD" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', :'app', :'password')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'app') \gexec
SELECT format('CREATE DATABASE %I OWNER %I', :'app', :'app')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'app') \gexec
REVOKE CONNECT ON DATABASE :"app" FROM PUBLIC;
SQL
done
