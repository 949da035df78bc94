import classes from './fact-list.module.css'

/** Names and values to read. Values that aren't text are shown as JSON. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
