import { isValidElement, type ReactNode } from 'react'
import { isImageId } from '../api/images.ts'
import classes from './fact-list.module.css'
import { StoredImage } from './stored-image.tsx'

/** Names and values to read. Images are shown. Values that are neither text nor elements are shown as JSON. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): ReactNode {
  if (isValidElement(value)) return value
  if (typeof value !== 'string') return JSON.stringify(value)
  // A list of images has one id per line.
  const lines = value.split('\n').map((line) => line.trim())
  return lines.every(isImageId) ? lines.map((id) => <StoredImage key={id} imageId={id} />) : value
}
