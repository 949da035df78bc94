/** Files and folders that other users of the machine must not read. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'

/** Creates the folder as needed, readable by its owner alone. */
export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  closeToOthers(dir, 0o700)
}

/** Creates the file as needed, readable by its owner alone. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  closeToOthers(file, 0o600)
}

/**
 * Takes the permissions of an existing file or folder away from others if every user of the machine has some: earlier
 * releases left them so. Access that is given to a group alone stays, and so does what belongs to another user.
 */
export function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.mode & 0o007) === 0 || found.uid !== process.getuid?.()) return
  chmodSync(path, mode)
}
