import classes from './table.module.css'

/** Class names of a table of records, whose rows are cards on a narrow page. */
export const tableClasses = classes
