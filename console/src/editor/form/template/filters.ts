/** The template filters that completion offers. All filters of LiquidJS except `sample` work. */
export interface Filter {
  name: string
  /** The arguments after the colon; empty if there are none. */
  takes: string
  does: string
}

export const filters: readonly Filter[] = [
  { name: 'default', takes: 'value', does: 'another value where there is none' },
  { name: 'plus', takes: 'number', does: 'adds' },
  { name: 'minus', takes: 'number', does: 'takes away' },
  { name: 'times', takes: 'number', does: 'multiplies' },
  { name: 'divided_by', takes: 'number', does: 'divides; whole numbers give a whole number' },
  { name: 'modulo', takes: 'number', does: 'what is left of a division' },
  { name: 'round', takes: '', does: 'to a whole number' },
  { name: 'ceil', takes: '', does: 'up to a whole number' },
  { name: 'floor', takes: '', does: 'down to a whole number' },
  { name: 'abs', takes: '', does: 'without its sign' },
  { name: 'at_least', takes: 'number', does: 'no less than' },
  { name: 'at_most', takes: 'number', does: 'no more than' },
  { name: 'truncate', takes: 'length', does: 'cuts text, with an ellipsis' },
  { name: 'truncatewords', takes: 'count', does: 'cuts text after so many words' },
  { name: 'upcase', takes: '', does: 'CAPITAL LETTERS' },
  { name: 'downcase', takes: '', does: 'small letters' },
  { name: 'capitalize', takes: '', does: 'the first letter large' },
  { name: 'strip', takes: '', does: 'without space at both ends' },
  { name: 'strip_html', takes: '', does: 'without tags' },
  { name: 'strip_newlines', takes: '', does: 'on one line' },
  { name: 'escape', takes: '', does: 'for markup: & < > and quotes' },
  { name: 'url_encode', takes: '', does: 'for a part of an address' },
  { name: 'append', takes: 'text', does: 'puts text behind' },
  { name: 'prepend', takes: 'text', does: 'puts text before' },
  { name: 'replace', takes: 'text, other', does: 'text by other text' },
  { name: 'remove', takes: 'text', does: 'takes text out' },
  { name: 'slice', takes: 'start, length', does: 'a part of a text or list' },
  { name: 'split', takes: 'separator', does: 'text to a list' },
  { name: 'join', takes: 'separator', does: 'a list to text' },
  { name: 'first', takes: '', does: 'the first of a list' },
  { name: 'last', takes: '', does: 'the last of a list' },
  { name: 'size', takes: '', does: 'how long it is' },
  { name: 'map', takes: 'name', does: 'one field of every item' },
  { name: 'where', takes: 'name, value', does: 'the items with this value' },
  { name: 'sort', takes: '', does: 'in order' },
  { name: 'reverse', takes: '', does: 'from behind' },
  { name: 'uniq', takes: '', does: 'each once' },
  { name: 'compact', takes: '', does: 'without what is nothing' },
  { name: 'concat', takes: 'list', does: 'two lists in one' },
  { name: 'sum', takes: '', does: 'of a list of numbers' },
  { name: 'date', takes: "'%Y-%m-%d'", does: 'a date as text' },
  { name: 'json', takes: '', does: 'as JSON' },
]
