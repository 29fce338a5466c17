/* The viewers of the page, in the order in which they came. */

export const viewers = [];
