for app in $APPS; do
  psql --quiet --set=ON_ERROR_STOP=1 --set=app="$app" --set=password="$PGPASSWORD" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', :'app', :'password')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'app') \gexec
SELECT format('CREATE DATABASE %I OWNER %I', :'app', :'app')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'app') \gexec
SELECT format('ALTER DATABASE %I SET client_connection_check_interval = %L', :'app', '1s')
  WHERE NOT EXISTS (SELECT FROM pg_db_role_setting AS s JOIN pg_database AS d ON d.oid = s.setdatabase
    WHERE d.datname = :'app' AND s.setrole = 0) \gexec
REVOKE CONNECT ON DATABASE :"app" FROM PUBLIC;
SQL
done
