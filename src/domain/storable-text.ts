/** Text as schemas have it where it is kept in a column of its own: PostgreSQL cannot hold U+0000. */
export const storableText = { pattern: '^[^\\u0000]*$', 'x-expected': 'text without U+0000' }
