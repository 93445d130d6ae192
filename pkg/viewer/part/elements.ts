// What the compiler makes of elements in the code: names that every file has.

export { Fragment, h } from 'preact';
