import { Fault } from '../../errors.ts'

/** Each quota of an account: what it counts, and the advice for an account that has the maximum. */
const quotas = {
  batches: 'batches. Delete batches that have ended.',
  batchesRunning: 'running batches. Wait until one has ended, or pause one.',
  batchRows: 'rows in batches that have not ended. Wait until a batch has ended, or delete one.',
  drafts: "drafts. Delete drafts that you don't need.",
  fonts: "fonts. Delete fonts that you don't need.",
  keys: "valid API keys. Revoke keys that you don't need.",
  projects: 'projects. Use an existing project, or rename one.',
  signingKeys: "valid signing keys. Revoke keys that you don't need.",
  storageBytes:
    "bytes of images, rows of batches, long documents and long records of executions. Delete images that you don't need.",
  webhookEndpoints: "webhook endpoints. Delete endpoints that you don't need.",
  workflows: "workflows. Delete workflows that you don't need.",
}

/** Bytes of a text from which it counts in `storageBytes`. The triggers in the migrations have the same number. */
export const countedTextBytesMin = 16_384

export type Quota = keyof typeof quotas

export const quotaNames = Object.keys(quotas)

/** The account has as many records of a kind as an account can have. Nothing was written. */
export class QuotaReached extends Fault {
  constructor(quota: Quota, limit: number) {
    super('forbidden', `The account can have at most ${limit} ${quotas[quota]}`, { quota, limit })
  }
}
