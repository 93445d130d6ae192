// The compiler's output for elements in the code: names that every file has.

export { Fragment, h } from 'preact';
