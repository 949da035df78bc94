/** Files and folders that other users of the machine must not read. */
import { chmodSync, closeSync, linkSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'

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
 * Creates the file with this text, readable by its owner alone. It is complete or absent, also after a crash. False if it
 * existed, also if another process creates it at the same time: it stays as it is then.
 */
export function createPrivateFile(file: string, text: string): boolean {
  const scratch = `${file}.${process.pid}`
  try {
    writeFileSync(scratch, text, { mode: 0o600, flush: true })
    linkSync(scratch, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(scratch, { force: true })
  }
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
