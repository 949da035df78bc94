/** Keys that tests created, for a final check of the logs. */
export const createdKeys: string[] = []
