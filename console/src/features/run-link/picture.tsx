import { useState } from 'react'
import type { Page, Run } from '../../api/run-link.ts'

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
  if (!('ClipboardItem' in window) || navigator.clipboard === undefined) return null
  const copy = async () => {
    try {
      // A promise, because Safari accepts no other work between the click and the copy.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(url) })])
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

async function pngOf(url: string): Promise<Blob> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The image is too large.')) : resolve(blob))),
  )
}
