import { isValidElement } from 'react'
import classes from './fact-list.module.css'

/** Names and values to read. Values that are neither text nor elements are shown as JSON. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' || isValidElement(value) ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
