/** The room on the disks of this process. */
export interface DiskSpace {
  /** Throws `unavailable` if a disk is nearly full. Call it before work that writes much. */
  require(): Promise<void>
}
