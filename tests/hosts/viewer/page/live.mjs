// Looks of the tests of changes at the page. These functions are sent there.

export const isListed = () => document.querySelector('li.row') !== null;
export const isLive = () => document.querySelector('header .live')?.dataset.connection === 'live';

/** The status in the row of a feature. */
export const statusOf = (feature) => {
  const row = [...document.querySelectorAll('li.row')].find(({ innerText }) => innerText.includes(feature));
  return row?.querySelector('.status').dataset.status;
};

/** Waits until the list has a checkpoint with this status. */
export function shows(visitor, status, feature = 'changed') {
  return visitor.until(`${feature} is ${status}`, `(${statusOf})('${feature}') === '${status}'`);
}
