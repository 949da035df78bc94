/** The text that the service prints when it is ready. */
import type { FirstStart } from './first-start.ts'

export function banner(facts: {
  version: string
  publicUrl: string
  dataDir: string
  hasConsole: boolean
  hasDocs: boolean
  areDocsBuilt: boolean
  /** Content Credentials have the certificate that the first start created. */
  isSelfSigned: boolean
  first: FirstStart | undefined
}): string {
  const { version, publicUrl, dataDir, hasConsole, hasDocs, areDocsBuilt, isSelfSigned, first } = facts
  const lines = [
    `Tintype ${version} is ready.`,
    '',
    ...(hasConsole ? [`  Console    ${publicUrl}`] : []),
    `  API        ${publicUrl}/v1`,
    `  Reference  ${publicUrl}/docs`,
    ...(hasDocs
      ? [`  Guide      ${publicUrl}/guide${areDocsBuilt ? '' : ' (the first visit builds it, in about a minute)'}`]
      : []),
    `  Data       ${dataDir}`,
  ]
  if (first) {
    const { key, keyFile, workflow } = first
    if (isSelfSigned)
      lines.push(
        '  Signing    a self-signed certificate for Content Credentials was created: other verifiers show an unknown signer',
      )
    const where = keyFile ?? (workflow ? 'in the command below' : key)
    lines.push(
      `  API key    ${where}`,
      `             ${keyFile ? '(delete the file when you have read it' : '(shown this once and stored nowhere'}; "npx tintype keys create" creates more)`,
    )
    if (workflow) lines.push('', 'Execute an example:', '', curl(publicUrl, first, workflow))
  }
  return `${lines.join('\n')}\n\n`
}

/** A command that works as pasted. It contains the key at most once. */
function curl(
  publicUrl: string,
  { key, keyFile }: FirstStart,
  { id, parameters }: NonNullable<FirstStart['workflow']>,
): string {
  const body = JSON.stringify({ workflowId: id, parameters })
  const header =
    keyFile === undefined ? `'Authorization: Bearer ${key}'` : `"Authorization: Bearer $(cat ${quoted(keyFile)})"`
  return `curl -sS -X POST ${publicUrl}/v1/workflows/execute -H ${header} -H 'Content-Type: application/json' -d ${quoted(body)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
