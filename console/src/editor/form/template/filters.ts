/** The template filters that completion offers. All filters of LiquidJS except `sample` work. */
export interface Filter {
  name: string
  /** The arguments after the colon; empty if there are none. */
  takes: string
  does: string
}

export const filters: readonly Filter[] = [
  { name: 'default', takes: 'value', does: 'a fallback if the value is empty' },
  { name: 'plus', takes: 'number', does: 'adds a number' },
  { name: 'minus', takes: 'number', does: 'subtracts a number' },
  { name: 'times', takes: 'number', does: 'multiplies' },
  { name: 'divided_by', takes: 'number', does: 'divides (integers: rounds down)' },
  { name: 'modulo', takes: 'number', does: 'remainder of a division' },
  { name: 'round', takes: '', does: 'rounds to an integer' },
  { name: 'ceil', takes: '', does: 'rounds up' },
  { name: 'floor', takes: '', does: 'rounds down' },
  { name: 'abs', takes: '', does: 'absolute value' },
  { name: 'at_least', takes: 'number', does: 'limits to a minimum' },
  { name: 'at_most', takes: 'number', does: 'limits to a maximum' },
  { name: 'truncate', takes: 'length', does: 'shortens text, with an ellipsis' },
  { name: 'truncatewords', takes: 'count', does: 'shortens text to a number of words' },
  { name: 'upcase', takes: '', does: 'UPPERCASE' },
  { name: 'downcase', takes: '', does: 'lowercase' },
  { name: 'capitalize', takes: '', does: 'first letter uppercase' },
  { name: 'strip', takes: '', does: 'removes space at both ends' },
  { name: 'strip_html', takes: '', does: 'removes HTML tags' },
  { name: 'strip_newlines', takes: '', does: 'removes line breaks' },
  { name: 'escape', takes: '', does: 'escapes & < > and quotes for markup' },
  { name: 'url_encode', takes: '', does: 'encodes text for a URL' },
  { name: 'append', takes: 'text', does: 'adds text at the end' },
  { name: 'prepend', takes: 'text', does: 'adds text at the start' },
  { name: 'replace', takes: 'text, other', does: 'replaces text' },
  { name: 'remove', takes: 'text', does: 'removes text' },
  { name: 'slice', takes: 'start, length', does: 'part of a text or list' },
  { name: 'split', takes: 'separator', does: 'splits text into a list' },
  { name: 'join', takes: 'separator', does: 'joins a list into text' },
  { name: 'first', takes: '', does: 'first item of a list' },
  { name: 'last', takes: '', does: 'last item of a list' },
  { name: 'size', takes: '', does: 'length of a text or list' },
  { name: 'map', takes: 'name', does: 'one field of each item' },
  { name: 'where', takes: 'name, value', does: 'items with this value' },
  { name: 'sort', takes: '', does: 'sorts a list' },
  { name: 'reverse', takes: '', does: 'reverses a list' },
  { name: 'uniq', takes: '', does: 'removes duplicates' },
  { name: 'compact', takes: '', does: 'removes empty items' },
  { name: 'concat', takes: 'list', does: 'joins two lists' },
  { name: 'sum', takes: '', does: 'sum of a list of numbers' },
  { name: 'date', takes: "'%Y-%m-%d'", does: 'formats a date' },
  { name: 'json', takes: '', does: 'converts to JSON' },
]
