/* Dash in the browser: properties of its components, and what a callback answers. */

export const dash = (window.dash_clientside ||= {}); // Dash's own global, which its renderer fills

/** @param {string | object} id @param {any} props */
export const set = (id, props) => dash.set_props(id, props);

/** @param {any} clicks */
export const clicked = (clicks) => (Array.isArray(clicks) ? clicks.some(Boolean) : Boolean(clicks));
