import { GroupIcon } from './group-icon.tsx'
import type { Group } from './groups.ts'
import classes from './operation-picture.module.css'
import sprite from './operation-pictures.avif'
import pictures from './operation-pictures.json'

/** An example of the operation's output; the icon of its group if it has none. Hidden from screen readers. */
export function OperationPicture({ id, group }: { id: string; group: Group }) {
  const index = pictures.operations.indexOf(id)
  if (index < 0)
    return (
      <span className={classes.picture}>
        <GroupIcon group={group} />
      </span>
    )
  const { columns, rows } = pictures
  const shareOf = (at: number, count: number) => `${(at / (count - 1)) * 100}%`
  return (
    <span aria-hidden className={`${classes.picture} tt-checker`} data-operation={id}>
      <span
        className={classes.sheet}
        style={{
          backgroundImage: `url(${sprite})`,
          backgroundSize: `${columns * 100}% ${rows * 100}%`,
          backgroundPosition: `${shareOf(index % columns, columns)} ${shareOf(Math.floor(index / columns), rows)}`,
        }}
      />
    </span>
  )
}
