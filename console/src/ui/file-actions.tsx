import { ActionIcon, Tooltip } from '@mantine/core'
import { Check, Download, ExternalLink, Image as ImageIcon, Link2 } from 'lucide-react'
import { useState } from 'react'
import { CopyIcon } from './copy-icon.tsx'
import { copyImage } from './copy-image.ts'
import { showError } from './show-error.ts'
import { shownPath } from './thumbnail.tsx'

export interface ImageFile {
  /** URL on this origin. */
  url: string
  /** The URL for other programs. */
  address: string
  /** File name of the download. Default: the one of the URL. */
  name?: string | undefined
  format?: string | undefined
  thumbnailUrl?: string | undefined
}

/** The buttons of every result: copy its URL or its pixels, download it, open it. */
export function FileActions({ url, address, name, format, thumbnailUrl }: ImageFile) {
  return (
    <>
      <CopyIcon value={address} label="Copy URL" Icon={Link2} />
      <CopyImage path={shownPath({ url, thumbnailUrl, format })} />
      <Tooltip label="Download">
        <ActionIcon {...link} component="a" href={url} download={name ?? true} aria-label="Download the image">
          <Download size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Open in a new tab">
        <ActionIcon
          {...link}
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label="Open the image in a new tab"
        >
          <ExternalLink size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

const link = { variant: 'subtle', color: 'gray', size: 'lg' } as const
const copiedMs = 1_000

function CopyImage({ path }: { path: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyImage(path)
      setCopied(true)
      setTimeout(() => setCopied(false), copiedMs)
    } catch (error) {
      showError('The image could not be copied', error)
    }
  }
  return (
    <Tooltip label={isCopied ? 'Copied' : 'Copy image'}>
      <ActionIcon {...link} aria-label="Copy image" onClick={() => void copy()}>
        {isCopied ? <Check size={16} /> : <ImageIcon size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
