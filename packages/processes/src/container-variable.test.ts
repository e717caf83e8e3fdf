import { describe, expect, it } from 'vitest'
import { isContainerVariable } from './container-variable.ts'

describe('isContainerVariable', () => {
  it.each([
    ...['GREETING', 'TARGET', 'A', 'LOG_LEVEL', 'HEALTH_ROOT_PATH', 'SHUTDOWN_GRACE_MS', 'KAFKA_BOOTSTRAP_SERVERS'],
    ...['DATABASE_URL', 'FILM_SERVICE_URL', 'EXTERNAL_URL', 'EXTERNAL_URL_PATH', 'MP_JWT_VERIFY_ISSUER', 'TZ', 'DEBUG'],
  ])('allows %s', (name) => {
    expect(isContainerVariable(name)).toBe(true)
  })

  it.each([
    ...['NODE_OPTIONS', 'node_options', 'Node_Options', 'NODE_OPTIONS ', ' NODE_OPTIONS', 'NODE_OPTIONS\n', 'NODE\0'],
    ...['NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE', 'NODE_REPL_EXTERNAL_MODULE', 'NODE_ENV', 'NODE'],
    ...[
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'LD_AUDIT',
      'DYLD_INSERT_LIBRARIES',
      'GLIBC_TUNABLES',
      'GCONV_PATH',
      'LOCPATH',
    ],
    ...['PATH', 'HOME', 'SHELL', 'BASH_ENV', 'ENV', 'IFS', 'PS4', 'SHELLOPTS', 'HOST', 'PORT', 'HOSTALIASES'],
    ...['MANAGEMENT_PORT', 'MANAGEMENT_HOST', 'HTTP_SSL_CERTIFICATE_LOCATION', 'HTTP_SSL_KEY_LOCATION'],
    ...['RESOLV_HOST_CONF', 'WATCH_REPORT_DEPENDENCIES', 'ELECTRON_RUN_AS_NODE', 'TERMCAP', 'GMON_OUT_PREFIX'],
    ...['K_SERVICE', 'K_REVISION', 'KUBE_HOST', 'TAPROOM_STATE_DIR', 'MANIFESTS', 'RESOURCES_FILE', 'APPS_DIR'],
    ...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'PNPM_HOME', 'COREPACK_HOME', 'OPENSSL_CONF', 'OPENSSL_MODULES'],
    ...[
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'SSLKEYLOGFILE',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'ALL_PROXY',
      'http_proxy',
    ],
    ...['UV_THREADPOOL_SIZE', 'ICU_DATA', 'PYTHONPATH', 'PYTHONSTARTUP', 'JAVA_TOOL_OPTIONS', 'CLASSPATH', 'PERL5OPT'],
    ...[
      '',
      '_',
      '1A',
      'A-B',
      'A.B',
      'A=B',
      'mp.jwt.verify.issuer',
      '__proto__',
      'constructor',
      'Ａ',
      'NODE_OPTIONŞ',
      'A'.repeat(129),
    ],
  ])('refuses %j', (name) => {
    expect(isContainerVariable(name)).toBe(false)
  })
})
