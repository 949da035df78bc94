import { useState } from 'react'
import type { Page, Run } from '../../api/run-link.ts'
import { canCopyImages, copyImage } from '../../ui/copy-image.ts'

interface Props {
  page: Page
  run: Run | undefined
  isRunning: boolean
  /** The last run has failed, so the image is older than the values. */
  hasFailed: boolean
}

/** The output of the last run, or the example of the link. */
export function Picture({ page, run, isRunning, hasFailed }: Props) {
  const output = run?.output
  const image = output ?? page.exampleImage
  const others = run?.outputs ?? []
  return (
    <>
      <div className="frame" aria-busy={isRunning}>
        {image === undefined ? (
          <p className="empty">Your image will appear here.</p>
        ) : (
          <img
            src={image.url}
            width={image.width}
            height={image.height}
            alt={output === undefined ? `An example of ${page.name}` : page.name}
          />
        )}
      </div>
      <p role="status" className="note">
        {isRunning ? 'Making your image…' : output === undefined ? image && 'An example' : readyText(hasFailed)}
      </p>
      {output !== undefined && (
        <div className="buttons">
          <a className="button" href={output.url} download={`${page.name}.${output.format}`}>
            Download
          </a>
          <CopyImage url={output.url} />
        </div>
      )}
      {others.length > 0 && (
        <ul className="others">
          {others.map(({ name, url, format }) => (
            <li key={name}>
              <a className="button" href={url} download={`${name}.${format}`}>
                Download {name} ({format.toUpperCase()})
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function readyText(hasFailed: boolean): string {
  return hasFailed ? 'Your image before.' : 'Your image is ready.'
}

/** Copies the image as PNG, which every program can paste. Hidden if the browser can't, such as over plain HTTP. */
function CopyImage({ url }: { url: string }) {
  const [label, setLabel] = useState('Copy image')
  if (!canCopyImages()) return null
  const copy = async () => {
    try {
      await copyImage(url)
      setLabel('Copied')
    } catch {
      setLabel('Copying failed: download it')
    }
  }
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <span role="status">{label}</span>
    </button>
  )
}
