/* The viewers of the page, in the order in which they came. */

/** @type {Viewer[]} */
export const viewers = [];
