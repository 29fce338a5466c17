/* What a page follows until another one is shown. */

const stops = [];

export const stopAll = () => stops.splice(0).forEach((stop) => stop());

export const untilLeft = (stop) => stops.push(stop);
