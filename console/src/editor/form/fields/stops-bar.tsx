import classes from './stops-bar.module.css'

/** A preview of gradient stops. */
export function StopsBar({ stops }: { stops: readonly unknown[] }) {
  const known = stops
    .flatMap((stop) => {
      const { at, color } = (stop ?? {}) as { at?: unknown; color?: unknown }
      return typeof at === 'number' && typeof color === 'string' && CSS.supports('color', color) ? [{ at, color }] : []
    })
    .toSorted((a, b) => a.at - b.at)
  if (known.length < 2) return null
  const parts = known.map(({ at, color }) => `${color} ${at * 100}%`).join(', ')
  return <div aria-hidden className={classes.stops} style={{ background: `linear-gradient(90deg, ${parts})` }} />
}

export function ColorsBar({ colors }: { colors: readonly unknown[] }) {
  return (
    <div aria-hidden className={classes.colors}>
      {colors.map((color) => (
        <span key={String(color)} style={{ background: String(color) }} />
      ))}
    </div>
  )
}
