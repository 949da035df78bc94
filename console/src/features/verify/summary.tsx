import { Card, Text } from '@mantine/core'
import { FileImage } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { CredentialManifest, VerifiedFile } from '../../api/credentials.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { byteSize, originTexts } from '../../ui/format.ts'
import type { HistoryImage } from './history.ts'
import { signerText } from './node-card.tsx'
import { AiMark, StateMark } from './state-mark.tsx'
import classes from './summary.module.css'

interface SummaryProps {
  file: File
  verified: VerifiedFile
  /** Null without Content Credentials. */
  root: HistoryImage | null
}

/** The file and the result in one sentence. */
export function Summary({ file, verified: { format, size, sha256, credentials }, root }: SummaryProps) {
  return (
    <Card withBorder padding="md" component="section" aria-label="Result" className={classes.summary ?? ''}>
      <Preview key={sha256} file={file} />
      <div className={classes.text}>
        <Text component="div" size="lg">
          <StateMark image={{ credentials }} size={20} />
        </Text>
        <Text size="sm">{credentials === null ? withoutCredentials : sentenceOf(credentials)}</Text>
        {root?.origin !== undefined && (
          <Text component="div" size="sm">
            <AiMark>{originTexts[root.origin]}</AiMark>
          </Text>
        )}
        <div className={classes.facts}>
          {format.toUpperCase()} · {byteSize(size)} · SHA-256 <code>{sha256.slice(0, 12)}…</code>
          <CopyIcon value={sha256} label="Copy the SHA-256" />
        </div>
      </div>
    </Card>
  )
}

const withoutCredentials =
  'This proves nothing about the image. It can come from a camera, a person or an AI model: most software removes Content Credentials when it writes a file again.'

function sentenceOf(credentials: CredentialManifest): string {
  const signer = signerText(credentials)
  const { state, problems } = credentials
  if (state === 'trusted') return `The file has not changed since ${signer || 'a trusted signer'} signed it.`
  if (state === 'valid')
    return `The file has not changed since it was signed. This installation doesn’t know the signer${signer && `, ${signer}`}: it could be anyone.`
  return problems[0]?.message ?? 'The file was changed after it was signed, or not signed correctly.'
}

/** Browsers can't show every format, such as TIFF. */
function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return (
    <div className={`${classes.preview} tt-checker`}>
      {hasFailed ? (
        <FileImage size={32} aria-hidden />
      ) : (
        url !== undefined && <img src={url} alt="" onError={() => setHasFailed(true)} />
      )}
    </div>
  )
}
