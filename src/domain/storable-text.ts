/** Text of a database column: PostgreSQL can't store U+0000. */
export const storableText = { pattern: '^[^\\u0000]*$', 'x-expected': 'text without U+0000' }
