/**
 * Hashes of each migration, from when it got its name. A test compares them with the code, so that no migration changes afterwards: databases
 * that have it would keep the former tables. Add a row with each migration.
 */
export interface MigrationHashes {
  /** Columns of all tables afterwards: see columns-hash.ts. Databases with other columns are refused. */
  columns: string
  statements: string
}

export const migrationHashes: Record<string, Record<'sqlite' | 'postgres', MigrationHashes>> = {
  '2026-12-09-init': {
    sqlite: { columns: 'c77881d2a9f738b7', statements: '31c8dcb21f7fab57' },
    postgres: { columns: 'c77881d2a9f738b7', statements: '9837647eb14b2e9e' },
  },
  '2026-12-10-running-executions': {
    sqlite: { columns: 'f9e26d8c05c41fe3', statements: '36f67c3860bb8f4a' },
    postgres: { columns: 'adde43a77b6c0ff0', statements: '74f8e76ba37997f9' },
  },
  '2026-12-11-retention': {
    sqlite: { columns: 'cc675d6967484b24', statements: '433b31f5fb27349f' },
    postgres: { columns: 'adde43a77b6c0ff0', statements: '90f7e39f3eb48825' },
  },
  '2026-12-18-ending-accounts': {
    sqlite: { columns: '6e14a173973361ad', statements: '532fd06888646e8a' },
    postgres: { columns: '4b4033eecf865c89', statements: 'f2ba6f7a65401b00' },
  },
  '2026-12-19-expiry': {
    sqlite: { columns: 'f64d904672924ec1', statements: '3fa0822eacb4fd47' },
    postgres: { columns: 'd089185556c6a736', statements: '3fa0822eacb4fd47' },
  },
  '2026-12-20-audit': {
    sqlite: { columns: 'a9b45e4401f4ca13', statements: '67bcd8a772ebc2de' },
    postgres: { columns: '37ccaf026ab03af3', statements: 'a17f223229af9b7c' },
  },
  '2026-12-25-redirects': {
    sqlite: { columns: '9c7049c245131102', statements: 'bf747060c62ca615' },
    postgres: { columns: '1c36fca9ff5d1f95', statements: 'bf747060c62ca615' },
  },
  '2026-12-26-ends': {
    sqlite: { columns: '87145e34803949dc', statements: '1e2c66723842c9b7' },
    postgres: { columns: '1857ba52c1421430', statements: '1e2c66723842c9b7' },
  },
  '2026-12-27-quotas': {
    sqlite: { columns: '1e8df526a92ee5cc', statements: '0587442fc5b57a8e' },
    postgres: { columns: 'd89f121d9564dc79', statements: 'be4a7010d277bfe1' },
  },
  '2026-12-28-traces': {
    sqlite: { columns: 'dd31187d015926d9', statements: '07b7c9ec6671cb82' },
    postgres: { columns: 'cf61fedede9a6509', statements: 'd1e97e99503c57ed' },
  },
  '2026-12-29-edited-rows': {
    sqlite: { columns: 'dd31187d015926d9', statements: '923822cb98e6ce8f' },
    postgres: { columns: 'cf61fedede9a6509', statements: '6e9e42dd01ae5b65' },
  },
  '2026-12-30-twins': {
    sqlite: { columns: 'dd31187d015926d9', statements: 'fadc2b38e1a99fda' },
    postgres: { columns: 'cf61fedede9a6509', statements: '2f5b420822ae5970' },
  },
  '2026-12-31-key-budgets': {
    sqlite: { columns: '0abaeff74e46e318', statements: '4351f28edf7016b5' },
    postgres: { columns: '3d4a0319f223d544', statements: '36113651d6fccc5a' },
  },
  '2027-01-02-run-links': {
    sqlite: { columns: '650b73e414aaf423', statements: '7bb8826afe736cda' },
    postgres: { columns: 'bb48c0e5dfff18bd', statements: '3d8d9c8711f82659' },
  },
  '2027-01-03-bin': {
    sqlite: { columns: 'c1340f3de21bdf91', statements: 'ffea500f1e201573' },
    postgres: { columns: '969b06a28e3f371a', statements: '024c7b6ad6b2ce02' },
  },
}

/** Columns after each migration of before the first release, in the last commit that had them. See `unreleased`. */
export const unreleasedColumns: Record<string, string> = {
  '2026-11-30-init': '66659270e49d8e8e',
  '2026-12-01-ended-webhooks': '66659270e49d8e8e',
  '2026-12-02-webhook-endings': '9e137e6e7b648ae1',
  '2026-12-03-webhook-bodies': 'eb614a630f5842c3',
  '2026-12-04-webhook-totals': 'eb614a630f5842c3',
  '2026-12-05-stored-bytes': 'd158c5417edb98dd',
  '2026-12-06-ended-keys': '1a249947f0b546b6',
  '2026-12-07-step-result-totals': '1a249947f0b546b6',
  '2026-12-08-counted-executions': 'c77881d2a9f738b7',
}
