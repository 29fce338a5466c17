/* Dash in the browser: properties of its components, and what a callback answers. */

export const dash = (window.dash_clientside ||= {}); // Dash's own global, which its renderer fills

export const set = (id, props) => dash.set_props(id, props);

export const clicked = (clicks) => (Array.isArray(clicks) ? clicks.some(Boolean) : Boolean(clicks));
