/* What a page follows until another one is shown. */

/** @type {any[]} */ const stops = [];

export const stopAll = () => stops.splice(0).forEach((stop) => stop());

/** @param {any} stop */
export const untilLeft = (stop) => stops.push(stop);
